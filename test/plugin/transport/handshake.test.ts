import { handshakeLine, refusal } from "../../../src/plugin/transport/handshake";

const COOKIE = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";

test("without Terraform's cookie, the program prints an explanation", () => {
  expect(refusal({})).toMatch(/^This program is a plugin/);
  expect(refusal({ TF_PLUGIN_MAGIC_COOKIE: "something else" })).toMatch(/terraform init/);
});

test("a client that offers version 6, or no version, is accepted", () => {
  expect(refusal({ TF_PLUGIN_MAGIC_COOKIE: COOKIE, PLUGIN_PROTOCOL_VERSIONS: "5,6" })).toBeUndefined();
  expect(refusal({ TF_PLUGIN_MAGIC_COOKIE: COOKIE })).toBeUndefined();
});

test("a client with only older versions is refused", () => {
  expect(refusal({ TF_PLUGIN_MAGIC_COOKIE: COOKIE, PLUGIN_PROTOCOL_VERSIONS: "4,5" })).toContain(
    "offers 4, 5",
  );
});

test("the handshake line contains the versions, the socket, the protocol, and the certificate without padding", () => {
  expect(handshakeLine("/run/p.sock", undefined)).toBe("1|6|unix|/run/p.sock|grpc\n");
  expect(handshakeLine("/run/p.sock", Buffer.from("a"))).toBe("1|6|unix|/run/p.sock|grpc|YQ\n");
});
