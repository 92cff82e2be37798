import { request } from "node:http";
import { type Service, type ServiceOptions, startService } from "cdktf-provider-steward/testing";

let service: Service;
afterEach(() => service.close());

/** Returns the status of a request with this Host header. */
async function statusFor(host: string, options: ServiceOptions = {}): Promise<number> {
  service = await startService(options);
  return new Promise((resolve, reject) => {
    request(`${service.url}/api/v4/version`, {
      headers: { host, "private-token": service.adminToken },
      setHost: false,
    })
      .on("response", (response) => {
        response.resume();
        resolve(response.statusCode!);
      })
      .on("error", reject)
      .end();
  });
}

describe("a service on loopback", () => {
  it.each(["localhost", "LOCALHOST:8080", "127.0.0.1:80", "[::1]:80", "[::ffff:127.0.0.1]", "10.0.0.1"])(
    "a service on loopback serves requests to %s",
    async (host) => {
      expect(await statusFor(host)).toBe(200);
    },
  );

  it.each([
    "evil.example",
    "evil.example:8080",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "127.0.0.1@x",
  ])(
    "a service on loopback refuses requests to %s, so that web pages can't read it under their own name",
    async (host) => {
      expect(await statusFor(host)).toBe(403);
    },
  );

  it("a service on loopback serves requests to an allowed name", async () => {
    expect(await statusFor("Steward.example:8080", { allowedHosts: ["steward.example"] })).toBe(200);
  });
});

describe("a service that other machines can reach", () => {
  it("a service that other machines can reach serves requests to any name", async () => {
    expect(await statusFor("steward.example", { host: "0.0.0.0", allowRemote: true })).toBe(200);
  });
});
