import { type Service, startService } from "cdktf-provider-steward/testing";
import type { RequestEvent } from "../../src/framework/protocol/protocol";
import { serveReattach } from "../../src/plugin";
import { redactNames } from "../../src/plugin/session";
import { createProvider } from "../../src/provider";
import { FIXTURE, TOKEN } from "../provider/support/world";
import { dynamic, PluginClient } from "./support/plugin-client";

const pathOf = (path: string): string => {
  const event = redactNames(
    { type: "request", operation: "invitations.update", method: "GET", path, attempt: 1 },
    createProvider(),
  );
  return "path" in event ? event.path : "";
};

test.each([
  ["/projects/1/protected_environments/qa", "/projects/1/protected_environments/(sensitive value)"],
  ["/groups/7/invitations/ana%40example.com", "/groups/7/invitations/(sensitive value)"],
  ["/projects/1/protected_environments", "/projects/1/protected_environments"],
  ["/projects/acme%2Fshop/pages", "/projects/acme%2Fshop/pages"],
  ["/projects/1/job_token_scope/allowlist/2", "/projects/1/job_token_scope/allowlist/2"],
])("%s is logged as %s", (path, expected) => {
  expect(pathOf(path)).toBe(expected);
});

describe("the requests in a plugin's log", () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ fixture: FIXTURE });
  });
  afterAll(() => service.close());

  test("the paths of logged requests contain no environment name, because a name can be sensitive", async () => {
    const told: RequestEvent[] = [];
    const { env, close } = await serveReattach(createProvider(), {
      run: { onRequest: (event) => void told.push(event) },
    });
    const [reattach] = Object.values(
      JSON.parse(env.TF_REATTACH_PROVIDERS) as Record<string, { Addr: { String: string } }>,
    );
    const client = new PluginClient(reattach!.Addr.String);
    await client.call("ConfigureProvider", {
      config: dynamic({ base_url: service.url, token: TOKEN.maintainer }),
    });
    await client.call("ImportResourceState", {
      typeName: "steward_protected_environment",
      id: "acme/web:rather-secret",
    });
    client.close();
    await close();
    const paths = told.map((event) => ("path" in event ? event.path : ""));
    expect(paths).toContainEqual(expect.stringContaining("/protected_environments/(sensitive value)"));
    expect(paths.join("\n")).not.toContain("rather-secret");
  });
});
