import type { HttpBackendBlock } from "../storage/http-config";
import type { StateBackend } from "./backend";

/**
 * Opens the state at a URL from a backend block. The HTTP client is loaded here, because states in files don't need
 * this client.
 *
 * @throws DiagnosticError if the block is invalid
 */
export function openHttpBackend(
  block: HttpBackendBlock,
  env: Readonly<Record<string, string | undefined>>,
): StateBackend {
  const { HttpBackend }: typeof import("./http-backend") = require("./http-backend");
  const { httpBackendConfig }: typeof import("../storage/http-config") = require("../storage/http-config");
  return new HttpBackend(httpBackendConfig(block, env));
}
