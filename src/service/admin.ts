import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { grantToken, isKnownToken, newToken } from "./access/caller";
import { createUser, userByName } from "./areas/users/store";
import type { Database } from "./store/database";

/** The administrator that every instance has. */
const ADMINISTRATOR = "root";

export interface AdminOptions {
  readonly adminToken?: string | undefined;
  readonly adminTokenFile?: string | undefined;
}

/** The token that was given, that of the file (written with mode 0600 where missing), or a new one. */
function chooseToken({ adminToken, adminTokenFile }: AdminOptions): string {
  if (adminTokenFile === undefined) return adminToken ?? newToken();
  if (adminToken === undefined && existsSync(adminTokenFile)) {
    const token = readFileSync(adminTokenFile, "utf8").trim();
    if (token === "") {
      throw new Error(
        `The admin token file ${adminTokenFile} is empty. Remove it to have a new token written there.`,
      );
    }
    return token;
  }
  const token = adminToken ?? newToken();
  writeFileSync(adminTokenFile, `${token}\n`, { mode: 0o600 });
  return token;
}

/** Makes sure that the administrator is there and that its token is known. Returns the token. */
export function ensureAdministrator(database: Database, options: AdminOptions): string {
  const token = chooseToken(options);
  database.write(() => {
    const user =
      userByName(database, ADMINISTRATOR) ??
      createUser(database, {
        username: ADMINISTRATOR,
        name: "Administrator",
        email: "root@example.com",
        isAdmin: true,
      });
    database.run("UPDATE users SET is_admin = 1, state = 'active' WHERE id = ?", user.id);
    if (isKnownToken(database, token)) return;
    grantToken(database, { userId: user.id, token, name: "administrator", scopes: ["api"] });
  });
  return token;
}
