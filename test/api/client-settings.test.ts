import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { type ClientOptions, createClient } from "../../src/api";
import { type FaultServer, json, startFaultServer } from "./support/fault-server";

const USER = json(200, { id: 1, username: "ann" });
const TOKEN = "glpat-0123456789";
const folder = mkdtempSync(join(tmpdir(), "api-settings-"));
const tokenFile = join(folder, "token");
let server: FaultServer;

beforeAll(async () => {
  writeFileSync(tokenFile, "from-file\n");
  server = await startFaultServer(USER);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

/** Returns the request that a client with these options sends. */
async function sentBy(options: ClientOptions) {
  const client = createClient({ env: {}, ...options });
  await client.users.current();
  await client.close();
  return server.seen.at(-1)!;
}

const refusalOf = (options: ClientOptions) => {
  try {
    createClient({ env: {}, token: "t", baseUrl: "https://steward.example", ...options });
  } catch (error) {
    return error;
  }
  throw new Error("the options were taken");
};

describe("the token", () => {
  const baseUrl = () => server.baseUrl;

  test("the client sends the token in PRIVATE-TOKEN, or in Authorization if authScheme is bearer", async () => {
    expect((await sentBy({ baseUrl: baseUrl(), token: TOKEN })).headers).toMatchObject({
      "private-token": TOKEN,
    });
    const bearer = await sentBy({ baseUrl: baseUrl(), token: TOKEN, authScheme: "bearer" });
    expect(bearer.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(bearer.headers["private-token"]).toBeUndefined();
  });

  test.each([
    ["an option, before all else", { token: "option", tokenFile, env: { STEWARD_TOKEN: "env" } }, "option"],
    ["a file that an option names", { tokenFile, env: { STEWARD_TOKEN: "env" } }, "from-file"],
    ["the environment", { env: { STEWARD_TOKEN: "env", STEWARD_TOKEN_FILE: tokenFile } }, "env"],
    ["a file that the environment names", { env: { STEWARD_TOKEN_FILE: tokenFile } }, "from-file"],
  ])("the token comes from %s", async (_, options, token) => {
    expect((await sentBy({ baseUrl: baseUrl(), ...options })).headers["private-token"]).toBe(token);
  });

  test("an anonymous client sends no token", async () => {
    const { headers } = await sentBy({ baseUrl: baseUrl(), anonymous: true, env: { STEWARD_TOKEN: TOKEN } });
    expect(headers["private-token"]).toBeUndefined();
  });

  test("if the token is missing, the error names the option and the environment variable", () => {
    expect(refusalOf({ token: undefined })).toMatchObject({
      name: "ConfigurationError",
      code: "missing_token",
      message: expect.stringMatching(/token.*STEWARD_TOKEN/),
    });
  });

  test("a token with characters that no header can contain is refused, and the error does not show it", () => {
    const error = refusalOf({ token: `${TOKEN}\nx: y` });
    expect(error).toMatchObject({ code: "invalid_option" });
    expect(inspect(error)).not.toContain(TOKEN);
  });

  test("if the file of the token is unreadable, the error names the file", () => {
    expect(refusalOf({ token: undefined, tokenFile: join(folder, "missing") })).toMatchObject({
      code: "unreadable_file",
      message: expect.stringMatching(/token_file.*missing.*ENOENT/),
    });
  });
});

describe("a client certificate", () => {
  test.each([
    ["a certificate without its key", { clientCertFile: tokenFile }, /client_cert_file.*client_key_file/],
    ["a key without its certificate", { clientKeyFile: tokenFile }, /client_key_file.*client_cert_file/],
  ])("the client refuses %s", (_case, options, message) => {
    expect(refusalOf(options)).toMatchObject({
      code: "invalid_option",
      message: expect.stringMatching(message),
    });
  });
});

describe("the address of the service", () => {
  test.each(["", "/", "/api/v4", "/api/v4/"])(
    "the address of the service can end with %j",
    async (ending) => {
      expect((await sentBy({ baseUrl: `${server.baseUrl}${ending}`, token: "t" })).target).toBe("/user");
    },
  );

  test("the address of the service can contain a path", async () => {
    const { target } = await sentBy({ baseUrl: `${server.baseUrl}/code/api/v4`, token: "t" });
    expect(target).toBe("/code/api/v4/user");
  });

  test.each([
    [{ STEWARD_BASE_URL: "<it>", CI_API_V4_URL: "http://localhost:1" }],
    [{ CI_API_V4_URL: "<it>/api/v4" }],
  ])("the client reads the address from the environment: %j", async (variables) => {
    const env = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, value!.replace("<it>", server.baseUrl)]),
    );
    expect((await sentBy({ token: "t", env })).target).toBe("/user");
  });

  test("if the address is missing, the error names the option and the environment variables", () => {
    expect(refusalOf({ baseUrl: undefined })).toMatchObject({
      code: "missing_base_url",
      message: expect.stringMatching(/base_url.*STEWARD_BASE_URL.*CI_API_V4_URL/),
    });
  });

  test.each(["STEWARD_BASE_URL", "CI_API_V4_URL"])(
    "the error of an invalid address names the environment variable: %s",
    (name) => {
      expect(refusalOf({ baseUrl: undefined, env: { [name]: "nonsense" } })).toMatchObject({
        message: expect.stringContaining(`${name} is not an http or https URL`),
      });
    },
  );

  test.each(["git.example.com", "localhost:8080", "git.example.com/api/v4"])(
    "the error of an address without a scheme shows the value: %s",
    (baseUrl) => {
      expect(refusalOf({ baseUrl })).toMatchObject({
        message: expect.stringContaining(`"${baseUrl}" has no scheme; write https://${baseUrl}`),
      });
    },
  );

  test.each(["maintainer-token-1", "glpat-Abc.01.def", "glpat-abc.de", "ann:secret@git.example.com"])(
    "the error of an address that may be a secret does not show the value: %s",
    (baseUrl) => expect(JSON.stringify(refusalOf({ baseUrl }))).not.toContain(baseUrl),
  );

  test.each([
    "steward.example",
    "ftp://steward.example",
    "https://ann:secret@steward.example",
    "https://a?b=c",
  ])("the address %s is refused", (baseUrl) => {
    const error = refusalOf({ baseUrl });
    expect(error).toMatchObject({ code: "invalid_option" });
    expect(inspect(error)).not.toContain("secret");
  });

  test("plain HTTP to another machine is refused", () => {
    expect(refusalOf({ baseUrl: "http://steward.example" })).toMatchObject({ code: "plain_http_refused" });
    expect(refusalOf({ baseUrl: "http://127.0.0.1.example" })).toMatchObject({ code: "plain_http_refused" });
    expect(refusalOf({ baseUrl: "http://steward.example", allowPlainHttp: "other.example" })).toMatchObject({
      code: "plain_http_refused",
    });
  });

  test.each([
    ["http://localhost:8080", false],
    ["http://127.0.0.2", false],
    ["http://[::1]:80", false],
    ["http://steward.example", true],
    ["http://steward.example", "steward.example"],
  ])("the client accepts the plain HTTP address %s with allowPlainHttp %s", (baseUrl, allowPlainHttp) => {
    expect(() => createClient({ baseUrl, token: "t", allowPlainHttp, env: {} })).not.toThrow();
  });
});

test.each<[ClientOptions]>([
  [{ requestTimeout: 0 }],
  [{ totalTimeout: Number.NaN }],
  [{ requestTimeout: 1e9 }],
  [{ maxAttempts: 0 }],
  [{ maxConcurrency: 1.5 }],
])("the invalid option %j is refused", (options) => {
  expect(refusalOf(options)).toMatchObject({ code: "invalid_option" });
});
