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
    "a service on loopback accepts a request with the host name %s",
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
    "a service on loopback returns 403 for the host name %s, which a hostile web page could use",
    async (host) => {
      expect(await statusFor(host)).toBe(403);
    },
  );

  it("a service on loopback accepts a host name that the option allowedHosts lists", async () => {
    expect(await statusFor("Steward.example:8080", { allowedHosts: ["steward.example"] })).toBe(200);
  });
});

describe("a service that other machines can reach", () => {
  it("a service with allowRemote accepts requests with any host name", async () => {
    expect(await statusFor("steward.example", { host: "0.0.0.0", allowRemote: true })).toBe(200);
  });
});
