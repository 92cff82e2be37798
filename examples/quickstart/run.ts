// The quickstart plans and applies the app on an embedded service, reverts manual changes, and deletes all objects.
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { api, startService } from "./service";
import { expectCode, heading, say, sayNext, steward } from "./steps";

const folder = path.join(".steward", "quickstart");
const state = path.join(folder, "terraform.tfstate");

async function main(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  heading("Start a service");
  say("The embedded service implements the platform's API, with the sample company of fixture.yaml.");
  const service = await startService(folder);
  process.env["STEWARD_BASE_URL"] = service.url;
  process.env["STEWARD_TOKEN"] = "quickstart-maintainer-token";
  try {
    await walkThrough();
  } finally {
    await service.stop();
  }
  sayNext(folder);
}

async function walkThrough(): Promise<void> {
  heading("Plan: who gains and who loses access?");
  say("The app examples/quickstart/main.ts declares settings of two projects. Exit code 2 means changes.");
  await expectCode(2, steward(["plan", "--access", "--detailed-exitcode"], "Plan:"));

  heading("Apply the plan");
  await expectCode(0, steward(["apply", "--auto-approve"], "Apply complete!"));
  await expectNoChanges();

  heading("Change settings by hand");
  await changeByHand();

  heading("Find the drift");
  say("`drift` writes nothing. Exit code 2 means drift, so an hourly pipeline fails.");
  const report = await expectCode(2, steward(["drift"]));
  for (const name of ["target_projects", "inbound_enabled", "steward_protected_environment.production"]) {
    if (!report.includes(name)) throw new Error(`The drift report does not name ${name}.`);
  }

  heading("Restore the settings");
  await expectCode(0, steward(["apply", "--auto-approve"], "Apply complete!"));
  await expectNoChanges();

  heading("Delete the objects");
  await expectCode(0, steward(["destroy", "--auto-approve"], "Destroy complete!"));
  await expectNothingLeft();
}

const expectNoChanges = () => expectCode(0, steward(["plan", "--detailed-exitcode"], "No changes."));

/** Makes three changes with plain HTTP requests, as a user could make them in the browser. */
async function changeByHand(): Promise<void> {
  const { id: legacy } = (await api("GET", "/projects/acme%2Flegacy-import")) as { id: number };
  const shop = "/projects/acme%2Fweb-shop";
  await api("POST", `${shop}/job_token_scope/allowlist`, { target_project_id: legacy });
  say("- acme/legacy-import is added to the allowlist of acme/web-shop");
  await api("DELETE", `${shop}/protected_environments/production`);
  say("- the environment production is unprotected");
  await api("PATCH", `${shop}/job_token_scope`, { enabled: false });
  say("- the limit on inbound job tokens is switched off");
}

/** Checks without a plan that the service and the state have nothing left of the app. */
async function expectNothingLeft(): Promise<void> {
  const shop = "/projects/acme%2Fweb-shop";
  const environments = (await api("GET", `${shop}/protected_environments`)) as unknown[];
  const allowed = (await api("GET", `${shop}/job_token_scope/allowlist`)) as { path: string }[];
  const docs = (await api("GET", "/projects/acme%2Fdocs/job_token_scope/allowlist")) as { path: string }[];
  const shown = await expectCode(0, steward(["show", "--json", state]));
  const { values } = JSON.parse(shown) as { values?: { root_module?: { resources?: unknown[] } } };
  const left = [
    environments.length > 0 && "protected environments",
    allowed.some(({ path: name }) => name !== "web-shop") && "entries on the allowlist of web-shop",
    docs.some(({ path: name }) => name !== "docs") && "entries on the allowlist of docs",
    (values?.root_module?.resources ?? []).length > 0 && "objects in the state",
  ].filter((what) => what !== false);
  if (left.length > 0) throw new Error(`After destroy there still are ${left.join(", ")}.`);
  say("The state is empty. The environments are unprotected, and the allowlist entries are removed.");
  say("The job token limit stays on: a setting of a project cannot be deleted.");
}

main().catch((problem: unknown) => {
  process.stderr.write(`\nThe quickstart failed: ${(problem as Error).message}\n`);
  process.exitCode = 1;
});
