import { createClient } from "../../src/api";
import { type CompatMode, type Service, startService } from "../../src/testing";
import { failureOf } from "./support/failure-of";

let service: Service;
afterEach(() => service.close());
const start = async (compat: CompatMode, templatesPath?: string) => {
  service = await startService({ compat });
  return createClient({
    baseUrl: service.url,
    anonymous: true,
    env: {},
    ...(templatesPath && { templatesPath }),
  });
};

describe("with a service that uses another path segment for templates than the configured one", () => {
  test("the error of a list of templates names the path segment to set", async () => {
    const client = await start("observed");
    const problem = await failureOf(client.ciTemplates.list().toArray());
    expect(problem).toMatchObject({ code: "not_found", status: 404 });
    expect(problem.message).toContain(
      'no templates at "platform_ci_ymls" (404); its templates are at "gitlab_ci_ymls", so set templates_path to "gitlab_ci_ymls"',
    );
  });

  test.each(["Bash", "no-such-template"])(
    "the error of a single template names the path segment to set: %s",
    async (key) => {
      const client = await start("observed");
      const problem = await failureOf(client.ciTemplates.get(key));
      expect(problem.message).toContain('set templates_path to "gitlab_ci_ymls"');
    },
  );

  test("the error of a wrong custom path segment names the segment to set", async () => {
    const client = await start("strict", "our_ci_ymls");
    const problem = await failureOf(client.ciTemplates.get("Bash"));
    expect(problem.message).toContain(
      'no templates at "our_ci_ymls" (404); its templates are at "platform_ci_ymls"',
    );
  });
});

test("with the right path segment, the error of an unknown template names no setting", async () => {
  const client = await start("observed", "gitlab_ci_ymls");
  const [first] = await client.ciTemplates.list().toArray();
  service.requests.reset();
  await client.ciTemplates.get(first!.key);
  expect(service.requests.count()).toBe(1);
  const problem = await failureOf(client.ciTemplates.get("no-such-template"));
  expect(problem).toMatchObject({ code: "not_found" });
  expect(problem.message).not.toContain("templates_path");
});
