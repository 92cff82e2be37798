import path from "node:path";
import { formatLine, type JournalHead, parseLine } from "../../../src/state/journal/entries";
import { killedIn, Opened, SETS } from "./opened";

// The tests use the journals of killed runs of earlier releases. This release must recover the changes of the killed runs.
// A later release may no longer read the journals of a set. In this case, developers move the set to a test that checks
// whether the error explains the fix.

const APPLY = ["apply", "--auto-approve", "--config", "."];

let opened: Opened;
afterEach(() => opened.close());

/** Returns the live objects after a run without a kill. */
async function undisturbed(set: string): Promise<readonly unknown[]> {
  const place = await Opened.open(set, "saved-plan");
  try {
    await place.succeed(APPLY);
    return await place.content();
  } finally {
    await place.close();
  }
}

describe.each(SETS)("a journal with pending changes of the release %s", (set) => {
  let declared: readonly unknown[];
  beforeAll(async () => {
    declared = await undisturbed(set);
  });

  /** Expects each declared object exactly once, and no pending change. */
  async function expectSettled(): Promise<void> {
    expect(await opened.planned()).toEqual([]);
    expect(await opened.content()).toEqual(declared);
    expect(opened.has("terraform.tfstate.journal")).toBe(false);
  }

  test.each(killedIn(set))(
    "%s: after an apply recovers the pending changes, the service has exactly the declared objects",
    async (name) => {
      opened = await Opened.open(set, path.join("killed", name));
      const lock = JSON.parse(opened.read(".terraform.tfstate.lock.info")) as { readonly ID: string };
      await opened.succeed(["state", "unlock", lock.ID, "--config", "."]);
      expect(opened.has("terraform.tfstate.journal")).toBe(true);
      await opened.succeed(APPLY);
      await expectSettled();
    },
  );

  test("if the journal has a newer format, apply fails and suggests the newer release", async () => {
    opened = await Opened.open(set, `killed/${killedIn(set)[0]}`);
    opened.delete(".terraform.tfstate.lock.info");
    const [head, ...lines] = opened.read("terraform.tfstate.journal").split("\n");
    const later = formatLine({ ...(parseLine(head!) as JournalHead), format: 1000 as 1 });
    opened.write("terraform.tfstate.journal", [later.trimEnd(), ...lines].join("\n"));
    const before = opened.read("terraform.tfstate.journal");
    const { code, err } = await opened.steward(APPLY);
    expect(code).toBe(1);
    expect(err.replaceAll(/\s+│?\s*/g, " ")).toContain(
      "Nothing was changed. Run that release to recover the pending changes.",
    );
    expect(opened.read("terraform.tfstate.journal")).toBe(before);
    expect(opened.service.requests.all).toEqual([]);
  });

  test("if the journal has a change with an unknown outcome, an apply completes the change", async () => {
    opened = await Opened.open(set, "unsettled");
    await opened.succeed(APPLY);
    await expectSettled();
  });

  test("with the http backend, an apply completes the pending changes in the journal", async () => {
    opened = await Opened.open(set, "journal-over-http");
    const address = `${opened.service.url}/api/v4/projects/5/terraform/state/production`;
    await opened.send("POST", address, opened.read("state.json"));
    await opened.send("POST", `${address}-journal`, opened.read("journal.json"));
    const { terraform, ...others } = JSON.parse(opened.read("main.tf.json")) as {
      readonly terraform: object;
    };
    const backend = { http: { address, username: "root" } };
    opened.write("main.tf.json", JSON.stringify({ ...others, terraform: { ...terraform, backend } }));
    const password = { TF_HTTP_PASSWORD: opened.service.adminToken };
    await opened.succeed(APPLY, ".", password);
    expect(await opened.content()).toEqual(declared);
    const left = JSON.parse(await opened.send("GET", `${address}-journal`, undefined)) as object;
    expect(left).toMatchObject({ outputs: {} });
  });
});
