// The quickstart: starts a service, plans, applies, changes settings by hand, detects and repairs the drift, and destroys everything.
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { api, startService } from "./service";
import { expectCode, heading, say, sayNext, steward } from "./steps";

const folder = path.join(".steward", "quickstart");
const state = path.join(folder, "terraform.tfstate");

async function main(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  heading("A service to try it on");
  say(
    "The embedded service has the platform's API, on a SQLite file, with the sample company of fixture.yaml.",
    "Steward gets its address and a token from the environment, as it would in CI.",
  );
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
  heading("What would change?");
  say(
    "cdktf.json says what to run: examples/quickstart/main.ts, which declares the web shop's settings.",
    "`plan` runs it and compares what it declares with the service. With --detailed-exitcode, 2 stands for changes.",
  );
  await expectCode(2, steward("plan", "--detailed-exitcode"));

  heading("Apply it");
  await expectCode(0, steward("apply", "--auto-approve"));

  heading("Plan again");
  say("The service has what the code says, so there is nothing to do.");
  await expectNoChanges();

  heading("Somebody changes things by hand");
  await changeByHand();

  heading("Drift names all of it");
  say(
    "`drift` compares the state with the service, writes nothing, and exits 2, so that a scheduled pipeline turns red.",
  );
  const report = await expectCode(2, steward("drift"));
  for (const name of ["target_projects", "inbound_enabled", "steward_protected_environment.production"]) {
    if (!report.includes(name)) throw new Error(`The drift report does not name ${name}.`);
  }

  heading("Apply mends it");
  await expectCode(0, steward("apply", "--auto-approve"));
  await expectNoChanges();

  heading("Take everything away");
  await expectCode(0, steward("destroy", "--auto-approve"));
  await expectNothingLeft();
}

const expectNoChanges = () => expectCode(0, steward("plan", "--detailed-exitcode"));

/** Three changes over plain HTTP, as somebody would make them in the browser. */
async function changeByHand(): Promise<void> {
  const { id: legacy } = (await api("GET", "/projects/acme%2Flegacy-import")) as { id: number };
  const shop = "/projects/acme%2Fweb-shop";
  await api("POST", `${shop}/job_token_scope/allowlist`, { target_project_id: legacy });
  say("- acme/legacy-import is put on the web shop's allowlist");
  await api("DELETE", `${shop}/protected_environments/production`);
  say("- the environment production is unprotected");
  await api("PATCH", `${shop}/job_token_scope`, { enabled: false });
  say("- the limit on inbound job tokens is switched off");
}

/** Looks at the service and the state with other means than steward's plan. */
async function expectNothingLeft(): Promise<void> {
  const shop = "/projects/acme%2Fweb-shop";
  const environments = (await api("GET", `${shop}/protected_environments`)) as unknown[];
  const allowed = (await api("GET", `${shop}/job_token_scope/allowlist`)) as { path: string }[];
  const docs = (await api("GET", "/projects/acme%2Fdocs/job_token_scope/allowlist")) as { path: string }[];
  const shown = await expectCode(0, steward("show", "--json", state));
  const { values } = JSON.parse(shown) as { values?: { root_module?: { resources?: unknown[] } } };
  const left = [
    environments.length > 0 && "protected environments",
    allowed.some(({ path: name }) => name !== "web-shop") && "entries on the allowlist of web-shop",
    docs.some(({ path: name }) => name !== "docs") && "entries on the allowlist of docs",
    (values?.root_module?.resources ?? []).length > 0 && "objects in the state",
  ].filter((what) => what !== false);
  if (left.length > 0) throw new Error(`After destroy there still are ${left.join(", ")}.`);
  say("Nothing is left, neither on the service nor in the state.");
}

main().catch((problem: unknown) => {
  process.stderr.write(`\nThe quickstart failed: ${(problem as Error).message}\n`);
  process.exitCode = 1;
});
