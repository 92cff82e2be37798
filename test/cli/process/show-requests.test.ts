import { TOKENS, usePlace } from "../support/place";

const place = usePlace("each");

const SECRET = "a-secret-environment";
const declare = (resource: object, more: object = {}) =>
  place.write("main.tf.json", {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    resource,
    ...more,
  });
const PLAN = ["plan", "--config", ".", "--show-requests"];
const requestsOf = (out: string): string => out.slice(out.indexOf("\nRequests") + 1);
const protect = (name: string) => ({
  project: "acme/shop",
  name,
  deploy_access_levels: [{ access_level: 40 }],
});
const writes = () => place.service.requests.all.filter(({ method }) => method !== "GET");

describe("plan --show-requests", () => {
  test("shows method, path and body of each request, and sends none of them", async () => {
    declare({
      steward_protected_environment: { production: protect("production/eu") },
      steward_job_token_scope: { limit: { project: "acme/shop", inbound_enabled: true } },
    });
    const { code, out } = await place.run([...PLAN, "--detailed-exitcode"]);
    expect([code, requestsOf(out)]).toEqual([
      2,
      [
        "Requests of an apply:",
        "",
        "  # steward_job_token_scope.limit",
        "  PATCH /projects/1/job_token_scope",
        '    {"enabled":true}',
        "",
        "  # steward_protected_environment.production",
        "  POST /projects/1/protected_environments",
        '    {"name":"production/eu","deploy_access_levels":[{"access_level":40}]}',
        "",
        "Requests: 2.",
        "",
      ].join("\n"),
    ]);
    expect(writes()).toEqual([]);
  });

  test("shows the deletes of a destroy, both parts of a replacement, and none for settings that stay", async () => {
    declare({
      steward_protected_environment: { production: protect("production/eu") },
      steward_job_token_scope: { limit: { project: "acme/shop", inbound_enabled: true } },
    });
    expect((await place.run(["apply", "--config", ".", "--auto-approve"])).code).toBe(0);
    place.service.requests.reset();
    declare({ steward_protected_environment: { production: protect("staging") } });
    const { out } = await place.run(PLAN);
    expect(requestsOf(out)).toContain(
      [
        "  # steward_job_token_scope.limit",
        "  none",
        "",
        "  # steward_protected_environment.production",
        "  DELETE /projects/1/protected_environments/production%2Feu",
        "  POST /projects/1/protected_environments",
      ].join("\n"),
    );
    expect(writes()).toEqual([]);
  });

  test("masks sensitive values, and the token is nowhere", async () => {
    declare(
      { steward_protected_environment: { production: protect(`\${var.name}`) } },
      { variable: { name: { type: "string", sensitive: true } } },
    );
    const args = [...PLAN, "--var", `name=${SECRET}`];
    const text = await place.run(args);
    const json = await place.run([...args, "--json"]);
    expect(requestsOf(text.out)).toContain('{"name":"(sensitive value)"');
    const all = [text.out, text.err, json.out, json.err].join();
    expect([all.includes(SECRET), all.includes(TOKENS.maintainer)]).toEqual([false, false]);
  });

  test("is in the last event of --json, with the reason where requests are not known", async () => {
    declare({
      terraform_data: { name: { input: "production" } },
      steward_protected_environment: { production: protect(`\${terraform_data.name.output}`) },
      steward_job_token_scope: { limit: { project: "acme/shop", inbound_enabled: true } },
    });
    const { out } = await place.run([...PLAN, "--json"]);
    const address = "steward_protected_environment.production";
    const { requests } = JSON.parse(out.trimEnd().split("\n").at(-1)!);
    expect(requests).toContainEqual({
      address: "steward_job_token_scope.limit",
      method: "PATCH",
      path: "/projects/1/job_token_scope",
      body: { enabled: true },
    });
    expect(requests).toContainEqual({
      address,
      not_known: "it depends on values that are known only after apply",
    });
    const { out: text } = await place.run(PLAN);
    expect(requestsOf(text)).toContain("Requests: at least 1.");
  });
});
