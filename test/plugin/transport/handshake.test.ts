import { handshakeLine, refusal } from "../../../src/plugin/transport/handshake";

const COOKIE = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";

test("if Terraform's cookie is missing, the provider's executable explains that it is a plugin", () => {
  expect(refusal({})).toMatch(/^This program is a plugin/);
  expect(refusal({ TF_PLUGIN_MAGIC_COOKIE: "something else" })).toMatch(/terraform init/);
});

test("the plugin accepts a client that offers protocol version 6 or no version", () => {
  expect(refusal({ TF_PLUGIN_MAGIC_COOKIE: COOKIE, PLUGIN_PROTOCOL_VERSIONS: "5,6" })).toBeUndefined();
  expect(refusal({ TF_PLUGIN_MAGIC_COOKIE: COOKIE })).toBeUndefined();
});

test("the plugin refuses a client that offers only older protocol versions", () => {
  expect(refusal({ TF_PLUGIN_MAGIC_COOKIE: COOKIE, PLUGIN_PROTOCOL_VERSIONS: "4,5" })).toContain(
    "offers 4, 5",
  );
});

test("the handshake line contains the versions, the socket, the protocol, and the certificate without padding", () => {
  expect(handshakeLine("/run/p.sock", undefined)).toBe("1|6|unix|/run/p.sock|grpc\n");
  expect(handshakeLine("/run/p.sock", Buffer.from("a"))).toBe("1|6|unix|/run/p.sock|grpc|YQ\n");
});
