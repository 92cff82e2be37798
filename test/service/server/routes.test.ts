import fc from "fast-check";
import fastify from "fastify";
import { addressPattern } from "../../../src/service/endpoint/endpoint";
import { Faults } from "../../../src/service/endpoint/faults";
import { routeTable } from "../../../src/service/server/routes";
import { endpointTable } from "../../../src/service/start/route-table";
import { runs, seed } from "../../support/capabilities";

const ENDPOINTS = endpointTable(new Faults());
const SEGMENTS = [...new Set(ENDPOINTS.flatMap(({ path }) => path.split("/").filter(Boolean)))];
const VALUES = ["7", "acme%2Fweb", "a%20b", "%E2%82%AC", "%2525", "", "a+b", "a;b=c", "a%3Fb", "__proto__"];

/** Generates paths: the path of an endpoint, in which some segments may differ and a suffix may follow. */
const targets = fc
  .record({
    endpoint: fc.constantFrom(...ENDPOINTS),
    values: fc.array(fc.constantFrom(...VALUES), { minLength: 3, maxLength: 3 }),
    changed: fc.option(fc.tuple(fc.nat(8), fc.constantFrom(...SEGMENTS, ...VALUES)), { freq: 2 }),
    after: fc.constantFrom("", "", "/", "//", "/more", "?a=b/c", "/?a"),
    method: fc.option(fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"), { freq: 2 }),
  })
  .map(({ endpoint, values, changed, after, method }) => {
    const segments = addressPattern(endpoint.path)
      .split("/")
      .map((segment, index) => (segment.startsWith(":") ? values[index % 3]! : segment));
    if (changed !== null && changed[0] > 0 && changed[0] < segments.length) segments[changed[0]] = changed[1];
    return { method: method ?? endpoint.method, url: `${segments.join("/")}${after}` };
  });

test("for any path, the service finds the same endpoint and parameters as Fastify's router", async () => {
  const server = fastify({ routerOptions: { ignoreTrailingSlash: true, maxParamLength: 65_536 } });
  for (const { method, path } of ENDPOINTS) {
    server.route({
      method,
      url: addressPattern(path),
      exposeHeadRoute: false,
      handler: (request) => ({ answers: `${method} ${path}`, path: request.params }),
    });
  }
  const find = routeTable(ENDPOINTS);
  await fc.assert(
    fc.asyncProperty(targets, async ({ method, url }) => {
      const { statusCode, body } = await server.inject({ method, url });
      const found = find(method, url);
      expect(
        found && { answers: `${found.endpoint.method} ${found.endpoint.path}`, path: found.path },
      ).toEqual(statusCode === 200 ? JSON.parse(body) : undefined);
    }),
    { numRuns: runs(500, 20_000), seed },
  );
  await server.close();
});

test("the service finds the endpoint of an absolute URL, and of a URL with a fragment", () => {
  const find = routeTable(ENDPOINTS);
  expect(find("GET", "HTTP://a.example:80/api/v4/projects/7?a=/b")?.path).toEqual({ id: "7" });
  expect(find("HEAD", "/api/v4/projects/acme%2Fweb#/pages")?.path).toEqual({ id: "acme/web" });
  expect(find("GET", "/api/v4/projects/%zz")).toBeUndefined();
});
