# Requires BuildKit, which is Docker's default, or Podman; see docs/operating/containers.md. There is no `# syntax` line: the
# parser of each BuildKit since Docker 20.10 is enough, and the build does not execute one more image of a registry.
ARG NODE_IMAGE=node:22-bookworm-slim

# The build runs on the architecture of the building machine, whatever that of the image is.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
ARG TARGETARCH
WORKDIR /source
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
RUN --mount=type=cache,target=/root/.npm node scripts/build-image-root.mjs /caseward --arch "$TARGETARCH"
RUN mkdir -p /volumes/data && chmod 700 /volumes/data

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Caseward" \
      org.opencontainers.image.description="Self-hosted test management: test cases, runs, CI results and milestones" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.source="https://github.com/caseward/caseward" \
      org.opencontainers.image.documentation="https://github.com/caseward/caseward/blob/main/docs/operating/containers.md"
WORKDIR /caseward
# The files belong to root: the service cannot change its own code.
COPY --from=build /caseward .
# A directory of the user that runs the service. Nothing is executed here, so that no other processor has to be emulated.
COPY --from=build --chown=1000:1000 /volumes/ /
# Without HOME, a user that /etc/passwd does not have cannot start Node.js modules that ask for it.
ENV NODE_ENV=production HOME=/home/node HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# The user `node` of the base image, as a number, so that Kubernetes can check `runAsNonRoot`.
USER 1000:1000
VOLUME /data
EXPOSE 3000
# The service handles the signal itself, as the first process of the container, and stops the embedded PostgreSQL.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz', { signal: AbortSignal.timeout(4000) }).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/caseward/apps/server/dist/main.js"]
