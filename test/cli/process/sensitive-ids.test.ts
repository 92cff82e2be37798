import { usePlace } from "../support/place";

const NAME = "staging";
const EMAIL = "ana.lyst@example.com";
const VARIABLES = { TF_VAR_name: NAME, TF_VAR_email: EMAIL };

const place = usePlace("each");
beforeEach(async () => {
  write({});
});

/** An environment and an invitation with keys from sensitive variables. */
function write({ renamed = false, level = 30 }: { renamed?: boolean; level?: number }): void {
  const names = renamed ? (["other", "guest"] as const) : (["chosen", "person"] as const);
  place.write("main.tf.json", {
    provider: { steward: [{}] },
    variable: { name: { type: "string", sensitive: true }, email: { type: "string", sensitive: true } },
    resource: {
      steward_protected_environment: {
        [names[0]]: {
          project: "acme/shop",
          name: "${var.name}",
          deploy_access_levels: [{ access_level: level }],
        },
      },
      steward_project_invitation: {
        [names[1]]: { project: "acme/shop", email: "${var.email}", access_level: level },
      },
    },
  });
}

/** Runs a command at trace log level and returns all its output and reports. */
async function everything(args: readonly string[], code = 0): Promise<string> {
  const reports = ["plan", "apply", "drift", "destroy"].includes(args[0]!)
    ? ["report.json", "report.md", "report.xml"].flatMap((file) => ["--report", file])
    : [];
  const ended = await place.run([...args, ...reports, "--config", "."], {
    ...VARIABLES,
    STEWARD_LOG: "trace",
  });
  expect(ended).toMatchObject({ code });
  return [ended.out, ended.err, ...reports.filter((word) => word.startsWith("report.")).map(place.read)].join(
    "\n",
  );
}

/** Neither value in any encoding. */
function expectHidden(text: string): void {
  for (const secret of [NAME, EMAIL, encodeURIComponent(EMAIL), "ana.lyst", "a***@example.com"])
    expect(text.split("\n").filter((line) => line.includes(secret))).toEqual([]);
}

const APPLY = ["apply", "--auto-approve"];

describe.each([[[]], [["--json"]]])(
  "output of a command with %j contains no sensitive part of an id",
  (more) => {
    test("when objects are created, read, updated, moved and destroyed", async () => {
      const made = await everything([...APPLY, ...more]);
      expectHidden(made);
      expect(made).toContain(
        more.length > 0 ? '"id_value":"1:(sensitive value)"' : "[id=1:(sensitive value)]",
      );
      expect(made).toContain("/protected_environments");
      expectHidden(await everything(["plan", ...more]));
      write({ level: 40 });
      expectHidden(await everything(["plan", ...more]));
      expectHidden(await everything([...APPLY, ...more]));
      write({ level: 40, renamed: true });
      const moved = await everything(["plan", ...more]);
      expectHidden(moved);
      expectHidden(await everything([...APPLY, ...more]));
      expectHidden(await everything(["destroy", "--auto-approve", ...more]));
    });

    test("when drift is found and when an object can't be read", async () => {
      await everything([...APPLY, ...more]);
      expect(await place.byHand("DELETE", `/projects/1/protected_environments/${NAME}`)).toBe(204);
      expectHidden(await everything(["drift", ...more], 2));
      place.service.faults.add({ method: "GET", status: 403, always: true });
      expectHidden(await everything(["drift", ...more], 1));
    });

    test("when a write is refused", async () => {
      place.service.faults.add({ method: "POST", status: 403, always: true });
      expectHidden(await everything([...APPLY, ...more], 1));
    });
  },
);

test("import shows no sensitive part of the id", async () => {
  await everything(APPLY);
  const address = "steward_protected_environment.chosen";
  expect((await place.run(["state", "rm", address, "--config", "."])).code).toBe(0);
  const again = await place.run(["import", address, `1:${NAME}`, "--config", "."], VARIABLES);
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining("1:(sensitive value)") });
});

test("show hides the sensitive part of an id that the state contains", async () => {
  await everything(APPLY);
  expectHidden((await place.run(["show", "--config", "."])).out);
  expectHidden(
    (await place.run(["state", "show", "steward_protected_environment.chosen", "--config", "."])).out,
  );
  expect(place.read("terraform.tfstate")).toContain(`"1:${NAME}"`);
});
