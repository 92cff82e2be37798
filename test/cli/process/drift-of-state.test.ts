import { writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { runs, seed } from "../../support/capabilities";
import { damaged, damages } from "../../support/damage";
import { HOSTILE, obeyedLines, takenLines } from "../../support/hostile";
import { runInProcess } from "../support/in-process";
import { openPlace, type Place, TOKENS } from "../support/place";

jest.setTimeout(runs(120_000, 3_600_000));

const shop = "/projects/acme%2Fshop";
const FILE = "kept.tfstate";
const OF_STATE = ["drift", "--state", FILE];

interface Instance {
  schema_version: number;
  private?: string;
  index_key?: string;
  attributes: Record<string, unknown>;
}
interface State {
  resources: {
    mode: string;
    module?: string;
    type: string;
    name: string;
    provider: string;
    instances: Instance[];
  }[];
}

let place: Place;
/** The state after an apply, as another engine would store it. */
let applied: string;
beforeEach(async () => {
  place = await openPlace();
  await place.run(["apply", "--auto-approve", "--config", "."]);
  applied = place.read("terraform.tfstate");
  place.write(`elsewhere/${FILE}`, applied);
});
afterEach(() => place.close());

/** Runs a command in a folder that contains only the state. */
const run = (...args: string[]) => place.runIn("elsewhere", args);

function change(edit: (state: State) => void): void {
  const state = JSON.parse(applied) as State;
  edit(state);
  place.write(`elsewhere/${FILE}`, state);
}
const scopeIn = ({ resources }: State) => resources.find(({ type }) => type === "steward_job_token_scope")!;
const setScope = (body: object) => place.byHand("PATCH", `${shop}/job_token_scope`, body);

test("drift --state - reads the state from standard input", async () => {
  await setScope({ enabled: false });
  const options = { folder: path.join(place.folder, "elsewhere"), env: place.env, input: applied };
  const { code, out } = await runInProcess(["drift", "--state", "-"], options);
  expect(code).toBe(2);
  expect(out).toContain("Drift: 1 changed, 0 vanished");
});

test("hostile names in a state never break a line, and the token never appears", async () => {
  change((state) => {
    const scope = scopeIn(state);
    scope.instances[0]!.index_key = HOSTILE;
    state.resources.push({ ...scope, name: "other", provider: `provider["registry.example/${HOSTILE}"]` });
  });
  await setScope({ enabled: false });
  for (const format of [[], ["--json"]]) {
    const reports = ["r.md", "r.xml", "r.json"].flatMap((file) => ["--report", file]);
    const { out, err } = await place.runIn("elsewhere", [...OF_STATE, ...format, ...reports], {
      STEWARD_LOG: "trace",
    });
    expect(out + err).toContain("PWNED");
    const written = ["r.md", "r.xml", "r.json"].map((file) => place.read(`elsewhere/${file}`));
    for (const text of [out, err, ...written]) {
      expect(takenLines(text)).toEqual([]);
      expect(text).not.toContain(TOKENS.maintainer);
    }
  }
});

test("damaged states end with an error or a result, never with an internal error", async () => {
  await fc.assert(
    fc.asyncProperty(damages, async (damage) => {
      writeFileSync(path.join(place.folder, "elsewhere", FILE), damaged(Buffer.from(applied), damage));
      place.service.requests.reset();
      const { code, out, err } = await run(...OF_STATE);
      expect(err).not.toMatch(/Internal error|Fault of steward|TypeError|RangeError/);
      if (code === 1) expect(err).toMatch(/Error: /);
      expect(obeyedLines(out + err)).toEqual([]);
      expect(place.service.requests.all.every(({ method }) => method === "GET")).toBe(true);
    }),
    { numRuns: runs(50, 2000), seed },
  );
});
