import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { describeWith } from "../../support/capabilities";
import { client } from "../client";
import { company } from "../company";

const run = promisify(execFile);

describeWith("engine", "Terraform keeps its state on the service", (program) => {
  let service: Service;
  let folder: string;
  beforeAll(async () => {
    service = await startService({ fixture: company() });
    folder = mkdtempSync(path.join(tmpdir(), "steward-backend-"));
    const address = `${service.url}/api/v4/projects/1/terraform/state/production`;
    const lock = { lock_address: `${address}/lock`, unlock_address: `${address}/lock` };
    const methods = {
      lock_method: "POST",
      unlock_method: "DELETE",
      username: "root",
      password: service.adminToken,
    };
    writeFileSync(
      path.join(folder, "main.tf.json"),
      JSON.stringify({
        terraform: { backend: { http: { address, ...lock, ...methods, retry_max: 0 } } },
        resource: { terraform_data: { one: { input: "kept" } } },
      }),
    );
    await run(program, ["init", "-no-color"], { cwd: folder });
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  test("after terraform force-unlock removes another client's lock, terraform apply succeeds", async () => {
    const send = client(service);
    const apply = () => run(program, ["apply", "-auto-approve", "-no-color"], { cwd: folder });
    const state = "/projects/1/terraform/state/production";
    await apply();
    expect((await send("GET", state)).body).toMatchObject({ version: 4, serial: 1 });
    const json = { ID: "4ae3c3ac-0000-0000-0000-000000000000", Who: "ann@laptop", Operation: "apply" };
    expect((await send("POST", `${state}/lock`, { json })).status).toBe(200);
    await expect(apply()).rejects.toMatchObject({ stderr: expect.stringContaining(`ID=${json.ID}`) });
    await run(program, ["force-unlock", "-force", "-no-color", json.ID], { cwd: folder });
    await apply();
  });
});
