import { COPY } from "../support/app";
import { usePlace } from "../support/place";
import { refusingProxy } from "../support/refusing-proxy";

const place = usePlace("all");

test("plan reports a wait for the rate limit on stderr, or with --json on stdout", async () => {
  const planned = async (...args: readonly string[]) => {
    const proxy = await refusingProxy(place.service.url);
    const { code, out, err } = await place.run(["plan", "--config", ".", ...args], {
      STEWARD_BASE_URL: proxy.url,
    });
    proxy.close();
    expect(code).toBe(0);
    return { out, err };
  };
  // The two commands wait at the same time. Each command has its own state.
  const [text, json] = await Promise.all([
    planned("--state", "text.tfstate"),
    planned("--json", "--state", "json.tfstate"),
  ]);
  for (const reported of [text.err, json.out])
    expect(reported).toContain("Waiting 2s: the service refused a request.");
  for (const silent of [text.out, json.err]) expect(silent).not.toContain("Waiting");
});

/** Two provider configurations. Each of the two provider configurations reads one project. */
const TWO_PROVIDERS = {
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  provider: { steward: [{}, { alias: "other" }] },
  data: {
    steward_project: {
      shop: { project: "acme/shop" },
      docs: { project: "acme/docs", provider: "steward.other" },
    },
  },
};

test.each([
  ["the option", ["--max-requests-per-minute", "1"], {}],
  ["the environment", [], { STEWARD_MAX_REQUESTS_PER_MINUTE: "1" }],
])(
  "the maximum number of requests per minute from %s applies to all provider configurations together",
  async (_, args, env) => {
    place.write("two/main.tf.json", TWO_PROVIDERS);
    const sent = () => place.service.requests.count();
    const before = sent();
    const run = place.begin(["plan", "--config", "two", ...args], env);
    await run.wrote("Waiting 60s: this run has used its requests of a minute.");
    run.interrupt();
    expect((await run.ended).code).toBe(1);
    expect(sent() - before).toBe(1);
  },
);

test("--max-requests-per-minute limits the requests of all stacks of a shard together", async () => {
  const declare = (name: string, project: string, dependencies: readonly string[]) => {
    const workingDirectory = `stacks/${name}`;
    const resource = { steward_job_token_scope: { limit: { project, inbound_enabled: true } } };
    place.write(`synthesized/${workingDirectory}/cdk.tf.json`, { resource });
    return { name, constructPath: name, workingDirectory, dependencies, annotations: [] };
  };
  const stacks = { c: declare("c", "acme/shop", []), d: declare("d", "acme/docs", ["c"]) };
  place.write("synthesized/manifest.json", { version: "0", stacks });
  place.write("cdktf.json", { language: "typescript", app: COPY });
  const sentBy = async (work: () => Promise<unknown>) => {
    const before = place.service.requests.count();
    await work();
    return place.service.requests.count() - before;
  };
  const alone = await sentBy(() => place.run(["plan", "--stack", "c"]));
  const most = (await sentBy(() => place.run(["plan", "--shard", "1/2"]))) - 1;
  expect(most).toBeGreaterThanOrEqual(alone);
  const sent = await sentBy(async () => {
    const run = place.begin(["plan", "--shard", "1/2", "--max-requests-per-minute", String(most)]);
    await run.wrote("this run has used its requests of a minute");
    run.interrupt();
    expect((await run.ended).code).toBe(1);
  });
  expect(alone).toBeGreaterThan(0);
  expect(sent).toBe(most);
});
