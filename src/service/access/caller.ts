import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { HttpError, unauthorized } from "../http/errors";
import { applicationSetting } from "../store/application-settings";
import { type Database, insert, now } from "../store/database";

/** The user who sent a request, with the scopes of the token; or an anonymous caller. */
export interface Caller {
  readonly user: CallingUser | undefined;
  readonly scopes: ReadonlySet<string>;
  /** The id, name and expiry of the token. Undefined for an anonymous caller. */
  readonly token?: { readonly id: number; readonly name: string; readonly expires_at: string | null };
}

export interface CallingUser {
  readonly id: number;
  readonly username: string;
  /** 1 if this request has an administrator's rights, otherwise 0; see `isAdministratorInEffect`. */
  readonly is_admin: number;
  readonly external: number;
  readonly can_create_group: number;
  /** The maximum number of projects in the personal namespace. */
  readonly projects_limit: number;
}

export const ANONYMOUS: Caller = { user: undefined, scopes: new Set() };

export const TOKEN_SCOPES = [
  "api",
  "read_api",
  "read_user",
  "openid",
  "profile",
  "email",
  "read_repository",
  "write_repository",
  "read_registry",
  "write_registry",
  "sudo",
  "admin_mode",
] as const;

const digestOf = (token: string): Buffer => createHash("sha256").update(token).digest();

// Returns the first four bytes of a digest. An index on these bytes finds the candidates, whose whole digests are then
// compared in constant time.
const lookupOf = (digest: Buffer): string => digest.subarray(0, 4).toString("hex");

export const newToken = (): string => `stwd-${randomBytes(20).toString("base64url")}`;

export interface TokenGrant {
  readonly user_id: number;
  readonly token: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires_at?: string | undefined;
  readonly revoked?: boolean;
}

/** Stores the digest of a token, but not the token itself. */
export function grantToken(database: Database, { token, scopes, ...grant }: TokenGrant): number {
  const digest = digestOf(token);
  const lookup = lookupOf(digest);
  const row = { ...grant, lookup, digest, scopes: JSON.stringify(scopes), created_at: now() };
  return insert(database, "tokens", row);
}

interface TokenRow extends CallingUser {
  readonly token_id: number;
  readonly token_name: string;
  readonly digest: Uint8Array;
  readonly scopes: string;
  readonly expires_at: string | null;
  readonly revoked: number;
  readonly state: string;
}

function findToken(database: Database, token: string): TokenRow | undefined {
  const digest = digestOf(token);
  return database
    .all<TokenRow>(
      `SELECT t.id AS token_id, t.name AS token_name, t.digest, t.scopes, t.expires_at, t.revoked, u.id, u.username,
         u.is_admin, u.external, u.state, u.can_create_group, u.projects_limit
       FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.lookup = ?`,
      lookupOf(digest),
    )
    .find((row) => timingSafeEqual(row.digest, digest));
}

export const isKnownToken = (database: Database, token: string): boolean =>
  findToken(database, token) !== undefined;

const invalidToken = (description: string): HttpError =>
  new HttpError(401, { error: "invalid_token", error_description: description });

/**
 * Finds the user of a token (specification, Authentication 1).
 *
 * @throws HttpError 401 for a token that is unknown, expired or revoked; 403 for a user who is blocked.
 */
export function callerOf(database: Database, token: string | undefined): Caller {
  if (token === undefined) return ANONYMOUS;
  const row = findToken(database, token);
  if (row === undefined) throw unauthorized();
  if (row.revoked === 1) throw invalidToken("Token was revoked. You have to re-authorize from the user.");
  // A token expires at the start of its expiry day.
  if (row.expires_at !== null && new Date(row.expires_at) <= new Date()) {
    throw invalidToken("Token is expired. You can either do re-authorization or token refresh.");
  }
  if (row.state !== "active") {
    throw new HttpError(403, { message: "403 Forbidden - Your account has been blocked." });
  }
  const { token_id, token_name, digest: _, scopes: scopesText, expires_at, ...user } = row;
  const scopes = new Set(JSON.parse(scopesText) as string[]);
  return {
    user: { ...user, is_admin: Number(isAdministratorInEffect(database, row, scopes)) },
    scopes,
    token: { id: token_id, name: token_name, expires_at },
  };
}

/**
 * Returns whether an administrator's token gives an administrator's rights. While Admin Mode is on, only a token with
 * the scope `admin_mode` gives these rights.
 */
const isAdministratorInEffect = (
  database: Database,
  { is_admin }: CallingUser,
  scopes: ReadonlySet<string>,
): boolean => is_admin === 1 && (scopes.has("admin_mode") || !applicationSetting(database, "admin_mode"));

/**
 * Checks that a token has a sufficient scope: `api` for any request; `read_api` or one of `besides` for a read. The endpoint
 * declares `besides`.
 *
 * @throws HttpError 403 `insufficient_scope`.
 */
export function requireScope(caller: Caller, isRead: boolean, besides: readonly string[]): void {
  if (caller.user === undefined) return;
  const sufficient = ["api", ...(isRead ? ["read_api", ...besides] : [])];
  if (sufficient.some((scope) => caller.scopes.has(scope))) return;
  throw new HttpError(403, {
    error: "insufficient_scope",
    error_description: "The request requires higher privileges than provided by the access token.",
    scope: sufficient.join(" "),
  });
}
