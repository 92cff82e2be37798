import type { HttpBackendBlock } from "../storage/http-config";
import type { StateBackend } from "./backend";

/**
 * A state behind an address, as a block of a configuration says. The HTTP client is loaded here: most states are files, and
 * a file needs none.
 *
 * @throws DiagnosticError where the block can't be used
 */
export function openHttpBackend(
  block: HttpBackendBlock,
  env?: Readonly<Record<string, string | undefined>>,
): StateBackend {
  const { HttpBackend }: typeof import("./http-backend") = require("./http-backend");
  const { httpBackendConfig }: typeof import("../storage/http-config") = require("../storage/http-config");
  return new HttpBackend(httpBackendConfig(block, env));
}
