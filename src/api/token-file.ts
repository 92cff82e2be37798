import { statSync } from "node:fs";
import { sentence } from "../text";
import { ConfigurationError } from "./errors";

/** A problem that a client does not refuse. Its caller shows it. */
export interface ClientWarning {
  readonly code: "token_file_permissions";
  /** A sentence without names. */
  readonly summary: string;
  readonly detail: string;
}

const OTHERS_WRITE = 0o022;
const OTHERS_READ = 0o044;

/**
 * Checks which other users may change or read the file of a token. A user who can write the file decides with
 * which token Steward acts.
 *
 * @param isInCi CI runners mount files with the mode 0666, so in CI a writable file is only a warning
 * @returns a warning, if others can only read the file
 * @throws ConfigurationError `token_file_permissions` if others can write the file
 */
export function checkTokenFile(file: string, isInCi: boolean): ClientWarning | undefined {
  // Windows has no such permission bits; Node.js invents them.
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
