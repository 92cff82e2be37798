import { closeSync, existsSync, fchmodSync, openSync, writeSync } from "node:fs";
import { describeFileProblem, readFileSync, requireRegularFile, SMALL_FILE } from "../../files";
import { grantToken, isKnownToken, newToken } from "../access/caller";
import { createUser, userByName } from "../model/users";
import type { Database } from "../store/database";

const OWNER_ALONE = 0o600;

/** Username of the administrator of every instance. */
const ADMINISTRATOR = "root";

export interface AdminOptions {
  readonly adminToken?: string | undefined;
  readonly adminTokenFile?: string | undefined;
}

/** The given token, that of the file (created with mode 0600 if missing), or a new one. */
function chooseToken({ adminToken, adminTokenFile }: AdminOptions): string {
  if (adminTokenFile === undefined) return adminToken ?? newToken();
  if (adminToken === undefined && existsSync(adminTokenFile)) {
    const token = readToken(adminTokenFile);
    if (token === "") {
      throw new Error(
        `The admin token file ${adminTokenFile} is empty. Remove it to have a new token written there.`,
      );
    }
    return token;
  }
  const token = adminToken ?? newToken();
  writeToken(adminTokenFile, token);
  return token;
}

function readToken(file: string): string {
  try {
    return readFileSync(file, { maxBytes: SMALL_FILE }).toString("utf8").trim();
  } catch (problem) {
    throw new Error(`The admin token file ${file} can't be read (${describeFileProblem(problem)}).`, {
      cause: problem,
    });
  }
}

/** Writes the token with mode 0600, also to an existing file. */
function writeToken(file: string, token: string): void {
  try {
    requireRegularFile(file);
    const descriptor = openSync(file, "w", OWNER_ALONE);
    try {
      fchmodSync(descriptor, OWNER_ALONE);
      writeSync(descriptor, `${token}\n`);
    } finally {
      closeSync(descriptor);
    }
  } catch (problem) {
    throw new Error(`The admin token can't be written to ${file} (${describeFileProblem(problem)}).`, {
      cause: problem,
    });
  }
}

/** Creates the administrator and its token if missing. Returns the token. */
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
