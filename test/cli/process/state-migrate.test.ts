import path from "node:path";
import { StateServer } from "../../state/state-server";
import { CONFIGURATION, usePlace } from "../support/place";

const place = usePlace("each");
const server = new StateServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(async () => {
  server.state = "";
  expect((await place.run(["apply", "--auto-approve", ...HERE])).code).toBe(0);
});

const HERE = ["--config", "."];
const migrate = (...args: string[]) => place.run(["state", "migrate", ...args, ...HERE]);
const file = (name: string): string => path.join(place.folder, name);

test("state migrate copies the state to a file, keeps the old one, and changes nothing the second time", async () => {
  const before = place.read("terraform.tfstate");
  const dry = await migrate("--to", "kept/new.tfstate", "--dry-run");
  expect([dry.code, dry.out]).toEqual([0, expect.stringContaining("Would copy the state (serial ")]);
  expect(() => place.read("kept/new.tfstate")).toThrow("ENOENT");

  const { code, out } = await migrate("--to", "new.tfstate");
  const { serial } = JSON.parse(before) as { serial: number };
  expect([code, out]).toEqual([
    0,
    `Copied the state (serial ${serial}) from ${file("terraform.tfstate")} to ${file("new.tfstate")}, and read it back.\n` +
      "The old states are unchanged. Name the new place as the backend in the code; `steward plan` then shows no changes.\n",
  ]);
  expect([place.read("new.tfstate"), place.read("terraform.tfstate")]).toEqual([before, before]);
  expect((await migrate("--to", "new.tfstate")).out).toContain(
    `${file("new.tfstate")} holds the state already (serial ${serial}).\n`,
  );
});

test("a state that was migrated to the platform is locked there, and the plan with the new backend is empty", async () => {
  const address = server.url("/state");
  const { code, out } = await migrate("--to", address, "--json");
  expect([code, JSON.parse(out)]).toMatchObject([
    0,
    { type: "state_migrated", states: [{ from: file("terraform.tfstate"), was_there: false }] },
  ]);
  expect(server.requests.splice(0).map(({ method, url }) => `${method} ${url.split("?")[0]}`)).toEqual(
    expect.arrayContaining(["POST /state/lock", "POST /state", "DELETE /state/lock", "GET /state"]),
  );
  place.write("main.tf.json", {
    ...CONFIGURATION,
    terraform: { ...CONFIGURATION.terraform, backend: { http: { address } } },
  });
  expect((await place.run(["plan", "--detailed-exitcode", ...HERE])).code).toBe(0);
});

test("state migrate refuses a place that holds another state, and the place that it comes from", async () => {
  const other = { ...JSON.parse(place.read("terraform.tfstate")), lineage: "another" };
  place.write("other.tfstate", other);
  const before = place.read("other.tfstate");
  const refused = await migrate("--to", "other.tfstate");
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("State has another lineage")]);
  expect(place.read("other.tfstate")).toBe(before);
  const same = await migrate("--to", "./terraform.tfstate");
  expect([same.code, same.err]).toEqual([1, expect.stringContaining("Not a new place for the state")]);
});

test("a plan whose backend was changed before the state was copied stops without a request, with the command that copies it", async () => {
  const address = server.url("/state");
  place.write("main.tf.json", {
    ...CONFIGURATION,
    terraform: { ...CONFIGURATION.terraform, backend: { http: { address } } },
  });
  for (const command of [["plan"], ["plan", "--lock=false"], ["apply", "--auto-approve"], ["drift"]]) {
    const { code, err } = await place.run([...command, ...HERE]);
    expect([code, err]).toEqual([1, expect.stringContaining("The state is in another place")]);
    expect(err).toContain(`  steward state migrate --state terraform.tfstate --to ${address}\n`);
  }
  expect(server.state).toBe("");
  const copied = await place.run(["state", "migrate", "--state", "terraform.tfstate", "--to", address]);
  expect(copied.code).toBe(0);
  expect((await place.run(["plan", "--detailed-exitcode", ...HERE])).code).toBe(0);
});
