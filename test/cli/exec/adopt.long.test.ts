import { execFileSync } from "node:child_process";
import path from "node:path";
import { linkPackages } from "../../acceptance/support/own-project";
import { odd } from "../../adopt/groups/odd";
import { TOKENS } from "../../adopt/groups/people";
import { webShop } from "../../adopt/groups/web-shop";
import { INVITATION_ROWS } from "../../adopt/support/invitation-rows";
import { describeWith } from "../../support/capabilities";
import { openPlace, type Place } from "../support/place";
import { Steward } from "../support/process";

// Each test starts processes. On a loaded machine, this takes long.
jest.setTimeout(300_000);

/** Adds enough invitations for a table to the first project. */
const withGuests = ({ projects = [], ...rest }: typeof odd): typeof odd => ({
  ...rest,
  projects: projects.map((one, at) => (at > 0 ? one : { ...one, invitations: INVITATION_ROWS })),
});

/**
 * Synthesizes an adopted app. Returns the folder of the stack. This folder also contains the file with the e-mail
 * addresses.
 */
async function synthesized(place: Place): Promise<string> {
  linkPackages(path.join(place.folder, "infra"));
  expect(await place.runIn("infra", ["synth"])).toMatchObject({ code: 0 });
  const stack = "infra/cdktf.out/stacks/odd";
  const { terraform, ...configuration } = JSON.parse(place.read(`${stack}/cdk.tf.json`));
  // Without a backend, the stack needs no `terraform init`.
  delete terraform.backend;
  place.write(`${stack}/cdk.tf.json`, { terraform, ...configuration });
  place.write(`${stack}/emails.auto.tfvars.json`, place.read("infra/emails.auto.tfvars.json"));
  return path.join(place.folder, stack);
}

for (const capability of ["terraform", "tofu"] as const) {
  describeWith(capability, `an adopted configuration under ${capability}`, (program) => {
    let place: Place;
    afterEach(() => place.close());

    test.each([
      ["shop", "hcl", webShop],
      ["odd", "hcl", withGuests(odd)],
      ["odd", "json", withGuests(odd)],
      ["odd", "ts", odd],
    ] as const)(
      "after adopt of the group %s as %s, apply imports all objects and sends no write",
      async (group, format, fixture) => {
        place = await openPlace(fixture);
        const env = { ...place.env, STEWARD_TOKEN: TOKENS.reader, TF_IN_AUTOMATION: "1" };
        const adopted = await place.run(
          ["adopt", group, "--include-subgroups", "--out", "infra", "--format", format],
          env,
        );
        expect(adopted).toMatchObject({ code: 0, err: "" });
        const folder = format === "ts" ? await synthesized(place) : path.join(place.folder, "infra");
        // The check fails if the formatter would change a file.
        if (format === "hcl")
          expect(() => execFileSync(program, ["fmt", "-check", "-diff"], { cwd: folder })).not.toThrow();
        const run = (...args: string[]) =>
          new Steward(["exec", "--", program, ...args, "-no-color", "-input=false"], { folder, env }).ended;
        // No separate plan is needed, because an apply also plans and prints the plan.
        const applied = await run("apply", "-auto-approve");
        expect(applied).toMatchObject({ code: 0 });
        const [, count] = /Plan: (\d+) to import, 0 to add, 0 to change, 0 to destroy\./.exec(applied.out)!;
        expect(adopted.out).toContain(`Adopted ${count} object`);
        expect(applied.out).toContain(`Resources: ${count} imported, 0 added, 0 changed, 0 destroyed.`);
        expect((await run("plan", "-detailed-exitcode")).code).toBe(0);
        expect(place.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
      },
    );
  });
}
