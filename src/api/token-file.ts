import { statSync } from "node:fs";
import { sentence } from "../text";
import { ConfigurationError } from "./errors";

/**
 * A problem of the client's options that does not stop the client. The caller of the client shows the problem to the
 * user.
 */
export interface ClientWarning {
  readonly code: "token_file_permissions";
  /** The problem in one sentence without names. */
  readonly summary: string;
  readonly detail: string;
}

const OTHERS_WRITE = 0o022;
const OTHERS_READ = 0o044;

/**
 * Checks whether other users can read or change the file of a token. A user who can write the file can replace the
 * token with which Steward sends requests.
 *
 * @param isInCi whether Steward runs in CI. In CI, a file that others can write causes only a warning, because CI
 * runners mount files with the mode 0666.
 * @returns a warning if other users can read the file, or if they can write it in CI
 * @throws ConfigurationError `token_file_permissions` if others can write the file
 */
export function checkTokenFile(file: string, isInCi: boolean): ClientWarning | undefined {
  // Windows has no such permission bits, and the bits that Node.js reports on Windows mean nothing.
  if (process.platform === "win32") return undefined;
  const mode = statSync(file).mode & 0o777;
  if ((mode & (OTHERS_WRITE | OTHERS_READ)) === 0) return undefined;
  const others = mode & OTHERS_WRITE ? "write" : "read";
  const found = `the token file ${file} has mode ${mode.toString(8).padStart(4, "0")}, so other users of this machine can ${others} it`;
  if (others === "write" && !isInCi)
    throw new ConfigurationError({ code: "token_file_permissions", what: found });
  return {
    code: "token_file_permissions",
    summary: `Other users can ${others} the token file`,
    detail: `${sentence(found)} Restrict it: chmod 600 ${file}`,
  };
}
