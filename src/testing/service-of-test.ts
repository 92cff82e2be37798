import type { Provider } from "../engine";
import { createProvider } from "../provider";

/** The service that a test uses: the result of `startService`, or another service on this machine. */
export interface ServiceOfTest {
  readonly url: string;
  /**
   * The token of an administrator. The app uses this token by default, and questions about access always use this
   * token.
   */
  readonly adminToken: string;
}

/** The provider's attributes about the connection to the service. `providerOfTest` sets these attributes to null. */
const CONNECTION = ["token_file", "ca_file", "client_cert_file", "client_key_file"];

/**
 * Returns this provider, connected to the service of the test for every configuration of the app. A test
 * therefore never reaches a live service.
 * @param token the token for all requests
 */
export function providerOfTest(url: string, token: string): Provider {
  const provider = createProvider();
  const replaced = { ...Object.fromEntries(CONNECTION.map((name) => [name, null])), base_url: url, token };
  return { ...provider, configure: (config, run) => provider.configure({ ...config, ...replaced }, run) };
}
