import { inspect } from "node:util";
import { HttpBackend } from "../../src/state/backends/http-backend";
import { type HttpBackendBlock, httpBackendConfig } from "../../src/state/storage/http-config";
import { diagnosticOf } from "./scratch";

type Environment = Record<string, string>;

const PLAIN = "http://ann:s3cret@states.example/web";
const https = "https://states.example/web";
const basic = (user: string): string => `Basic ${Buffer.from(user).toString("base64")}`;

test("if the backend block omits a setting, Steward takes the setting from the environment or a default", () => {
  const environment = { TF_HTTP_ADDRESS: https, TF_HTTP_USERNAME: "env", TF_HTTP_PASSWORD: "p" };
  const config = httpBackendConfig({}, environment);
  expect(config).toMatchObject({
    address: new URL(https),
    updateMethod: "POST",
    lockMethod: "LOCK",
    unlockMethod: "UNLOCK",
    retryMax: 2,
    retryWaitMinMs: 1000,
    retryWaitMaxMs: 30_000,
    maxBytes: 512_000_000,
    timeoutMs: 300_000,
  });
  expect(config.authorization!()).toBe(basic("env:p"));
  const both = httpBackendConfig({ address: "https://b.example/" }, environment);
  expect(both.address.href).toBe("https://b.example/");
  const limits = { STEWARD_STATE_MAX_BYTES: "1000", STEWARD_STATE_TIMEOUT: "2.5" };
  expect(httpBackendConfig({ address: https }, limits)).toMatchObject({ maxBytes: 1000, timeoutMs: 2500 });
});

test("Steward does not print the credentials in an address", () => {
  const config = httpBackendConfig({ address: "https://ann:p%40ss@a.example/s?token=t" }, {});
  expect(config.authorization!()).toBe(basic("ann:p@ss"));
  const backend = new HttpBackend(config);
  expect(backend.description).toBe("https://a.example/s");
  for (const thing of [config, backend]) {
    const shown = inspect(thing, { depth: null, showHidden: true });
    for (const secret of ["p@ss", "p%40ss", basic("ann:p@ss")]) expect(shown).not.toContain(secret);
  }
});

const WRONG = "state_http_configuration";
const REFUSED = "state_plain_http_refused";
const allowing = (STEWARD_STATE_ALLOW_PLAIN_HTTP: string) => ({ STEWARD_STATE_ALLOW_PLAIN_HTTP });

test.each<[HttpBackendBlock, Environment, string, string]>([
  [{}, {}, WRONG, "`address` is missing"],
  [{ address: "s3cret" }, {}, WRONG, "`address` is not a URL"],
  [{ address: "ftp://s3cret/" }, {}, WRONG, "`address` does not start"],
  [{ address: https, lock_address: "s3cret" }, {}, WRONG, "`lock_address`"],
  [{ address: https, retry_max: "s3cret" }, {}, WRONG, "`retry_max`"],
  [{ address: https, client_certificate_pem: "s3cret" }, {}, WRONG, "`client_private_key_pem`"],
  ...["0", "1e3", "600000000"].map((value): [HttpBackendBlock, Environment, string, string] => [
    { address: https },
    { STEWARD_STATE_MAX_BYTES: value },
    WRONG,
    "STEWARD_STATE_MAX_BYTES",
  ]),
  ...["0", "soon", "9999999"].map((value): [HttpBackendBlock, Environment, string, string] => [
    { address: https },
    { STEWARD_STATE_TIMEOUT: value },
    WRONG,
    "STEWARD_STATE_TIMEOUT",
  ]),
  // Plain http to another host would send the credentials unencrypted.
  [{ address: PLAIN }, {}, REFUSED, "`address`"],
  [{ address: https, lock_address: PLAIN }, {}, REFUSED, "`lock_address`"],
  [{ address: https, unlock_address: PLAIN }, {}, REFUSED, "`unlock_address`"],
  [{ address: https, journal_address: PLAIN }, {}, REFUSED, "`journal_address`"],
  [{}, { TF_HTTP_ADDRESS: https, TF_HTTP_LOCK_ADDRESS: PLAIN }, REFUSED, "STEWARD_STATE_ALLOW_PLAIN_HTTP"],
  ...["", "0", "false", "other.example"].map((value): [HttpBackendBlock, Environment, string, string] => [
    { address: PLAIN },
    allowing(value),
    REFUSED,
    "states.example",
  ]),
])("the backend block %j with the environment %j is refused: %s", async (block, env, code, words) => {
  const problem = await diagnosticOf(() => httpBackendConfig(block, env));
  expect(problem.code).toBe(code);
  expect(problem.detail).toContain(words);
  expect(problem.detail).not.toMatch(/s3cret|ann/);
});

test.each<[string, Environment]>([
  ...["1", "true", "states.example"].map((value): [string, Environment] => [
    "states.example:80",
    allowing(value),
  ]),
  ...["localhost:1", "127.0.0.1:1", "127.1.2.3", "[::1]:1", "state.localhost"].map(
    (host): [string, Environment] => [host, {}],
  ),
])("plain http is allowed to the host %s with the environment %j", (host, env) => {
  expect(httpBackendConfig({ address: `http://${host}/web` }, env).address.protocol).toBe("http:");
});
