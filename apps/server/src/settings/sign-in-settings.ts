import { EMAIL_PATTERN } from '@caseward/contract/schemas'
import { Type } from 'typebox'

import { defineSetting, url } from './define-setting.ts'

/** Who signs in, and how. */
export const signInSettings = {
  adminEmail: defineSetting({
    env: 'ADMIN_EMAIL',
    schema: Type.String({
      pattern: EMAIL_PATTERN,
      format: 'idn-email',
      maxLength: 320,
      description: 'an email address without invisible characters',
    }),
    default: null,
    doc: 'Email address of the first user, who is created when no user exists; requires `ADMIN_PASSWORD`, `ADMIN_TOKEN` or both, unless `SIGN_IN` is `single-sign-on`.',
  }),
  adminPassword: defineSetting({
    env: 'ADMIN_PASSWORD',
    schema: Type.String({ minLength: 8, maxLength: 1024, description: 'at least 8 characters' }),
    default: null,
    doc: 'Password of the first user. The first start fails if it is easy to guess.',
    isSecret: true,
  }),
  adminToken: defineSetting({
    env: 'ADMIN_TOKEN',
    schema: Type.String({ pattern: '^[\\x21-\\x7e]{32,512}$', description: 'at least 32 characters without spaces' }),
    default: null,
    doc: 'Personal token of the first user, with write access; at least 32 characters. A new value replaces it at the next start.',
    isSecret: true,
  }),
  secretKey: defineSetting({
    env: 'SECRET_KEY',
    schema: Type.String({ pattern: '^[\\x21-\\x7e]{32,512}$', description: 'at least 32 characters without spaces' }),
    default: null,
    doc: 'Key that encrypts the secrets of authenticator apps in the database; at least 32 random characters, the same on all servers. When unset, the embedded database uses a key in `DATA_DIR/secret.key`; with `DATABASE_URL`, authenticator apps cannot be set up.',
    isSecret: true,
  }),
  oidcIssuer: defineSetting({
    env: 'OIDC_ISSUER',
    schema: url,
    default: null,
    doc: 'Issuer URL of the OpenID Connect provider, `https://login.example.com`; `http://` only for this machine; it must return verified email addresses (`email_verified`).',
  }),
  oidcClientId: defineSetting({
    env: 'OIDC_CLIENT_ID',
    schema: Type.String({ minLength: 1 }),
    default: null,
    doc: 'Client id of Caseward at the provider; register the redirect URL `PUBLIC_URL/sign-in/oidc/callback` there.',
  }),
  oidcClientSecret: defineSetting({
    env: 'OIDC_CLIENT_SECRET',
    schema: Type.String({ minLength: 1 }),
    default: null,
    doc: 'Client secret of Caseward at the provider, if it requires one.',
    isSecret: true,
  }),
  oidcName: defineSetting({
    env: 'OIDC_NAME',
    schema: Type.String({ minLength: 1, maxLength: 80, description: 'at most 80 characters' }),
    default: 'single sign-on',
    doc: 'Name of the provider on the sign-in page: “Sign in with …”.',
  }),
  oidcSessionHours: defineSetting({
    env: 'OIDC_SESSION_HOURS',
    schema: Type.Integer({ minimum: 1, maximum: 2160 }),
    default: 2160,
    doc: 'Hours after which a session that began with single sign-on ends, even if it is used; at most 2160, which are 90 days.',
  }),
  oidcScopes: defineSetting({
    env: 'OIDC_SCOPES',
    schema: Type.String({
      pattern: '^(?:[\\x21\\x23-\\x5b\\x5d-\\x7e]+ )*openid(?: [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$',
      maxLength: 1000,
      description: 'scopes with single spaces between them, one of which is openid',
    }),
    default: 'openid email profile',
    doc: 'Scopes that are requested of the provider; some return groups only for another one, such as `groups`.',
  }),
  oidcGroupsClaim: defineSetting({
    env: 'OIDC_GROUPS_CLAIM',
    schema: Type.String({ minLength: 1, maxLength: 255, description: 'at most 255 characters' }),
    default: null,
    doc: 'Claim with the groups of a user, which can get roles in projects; dots lead to nested claims: `realm_access.roles`.',
  }),
  oidcAdminGroup: defineSetting({
    env: 'OIDC_ADMIN_GROUP',
    schema: Type.String({ minLength: 1, maxLength: 255, description: 'at most 255 characters' }),
    default: null,
    doc: 'Group whose users are instance administrators; requires `OIDC_GROUPS_CLAIM`.',
  }),
  signIn: defineSetting({
    env: 'SIGN_IN',
    schema: Type.Unsafe<'any' | 'single-sign-on'>({ type: 'string', enum: ['any', 'single-sign-on'] }),
    default: 'any',
    doc: 'How users sign in: `any`, or `single-sign-on` for no passwords at all; requires `OIDC_ISSUER`.',
  }),
}
