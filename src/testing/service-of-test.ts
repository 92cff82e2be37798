import type { Provider } from "../engine";
import { createProvider } from "../provider";

/** The service that a test runs against: that of `startService`, or another one on this machine. */
export interface ServiceOfTest {
  readonly url: string;
  /** The token of an administrator, for questions about access; also that of the app by default. */
  readonly adminToken: string;
}

/** Attributes of the provider that say where the service is, and how to connect to it. */
const CONNECTION = ["token_file", "ca_file", "client_cert_file", "client_key_file"];

/**
 * Returns this provider, connected to the service of the test for every configuration of the app. A test never
 * reaches a live service, and an app needs no other configuration for it.
 *
 * @param token the token that it sends
 */
export function providerOfTest(url: string, token: string): Provider {
  const provider = createProvider();
  const replaced = { ...Object.fromEntries(CONNECTION.map((name) => [name, null])), base_url: url, token };
  return { ...provider, configure: (config, run) => provider.configure({ ...config, ...replaced }, run) };
}
