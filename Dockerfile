# Written without a Docker engine; docs/operating.md says what was tested.
FROM node:22-bookworm-slim AS build
WORKDIR /caseward
COPY . .
# The first command builds. The second one installs again what the server needs to run, without its development
# dependencies. The directories that are removed are not part of the server.
RUN npm ci && npm ci --omit=dev --ignore-scripts -w apps/server && rm -r bench docs e2e packages/test-support

FROM node:22-bookworm-slim
WORKDIR /caseward
COPY --from=build --chown=node:node /caseward .
RUN mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/server/dist/main.js"]
