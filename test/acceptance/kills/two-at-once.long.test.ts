import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Ended } from "../../cli/support/process";
import { describeWith } from "../../support/capabilities";
import { Place } from "./cycle";

// Each test starts processes. On a loaded machine, this takes long.
jest.setTimeout(90_000);

describe.each(["local", "http"] as const)(
  "two applies at the same time on one state, with the %s backend",
  (keeping) => {
    let place: Place;
    beforeEach(async () => {
      place = await Place.open(keeping);
    });
    afterEach(() => place.close());

    test("while an apply has the lock, a second apply with --lock-timeout waits and then completes", async () => {
      let refused: Ended | undefined;
      let waiting: Promise<Ended> | undefined;
      place.proxy.atFirstWrite = async () => {
        refused = await place.start(["apply", "--auto-approve"]).ended;
        const patient = place.start(["apply", "--auto-approve", "--lock-timeout", "60s"]);
        await patient.wrote("err", "Waiting for the state");
        waiting = patient.ended;
      };
      const first = await place.apply("apply");
      expect(first.code).toBe(0);
      expect(refused).toMatchObject({ code: 1, out: "" });
      expect(refused!.err).toContain("State is locked");
      expect(refused!.err).toMatch(/is locked by \S+@\S+ \(process \d+ on \S+\) for "apply" since/);
      const second = await waiting!;
      expect(second.code).toBe(0);
      expect(second.err).not.toContain("Creating...");
      expect(await place.planned("normal")).toEqual([]);
    });
  },
);

describeWith("engine", "an apply of ours and one of Terraform at once, with the http backend", (program) => {
  let place: Place;
  beforeEach(async () => {
    place = await Place.open("http");
    const backend = { ...place.http, password: place.service.adminToken };
    writeFileSync(
      path.join(place.other, "main.tf.json"),
      JSON.stringify({
        terraform: { backend: { http: backend } },
        resource: { terraform_data: { one: { input: "one" } } },
      }),
    );
    const { code, told } = await terraform("init", "-input=false").ended;
    if (code !== 0) throw new Error(told());
  });
  afterEach(() => place.close());

  /** Runs Terraform in a separate process, against the service in this process. */
  function terraform(...words: string[]) {
    const env = { PATH: process.env["PATH"] ?? "", CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1" };
    const child = spawn(program, [...words, "-no-color"], { cwd: place.other, env });
    let text = "";
    let check = () => {};
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        text += String(chunk);
        check();
      });
    }
    const told = () => text;
    return {
      ended: once(child, "close").then(([code]) => ({ code: code as number | null, told })),
      asks: new Promise<void>((resolve) => {
        check = () => text.includes("Enter a value:") && resolve();
      }),
      answer: (words: string) => child.stdin.end(`${words}\n`),
    };
  }

  test("while steward apply locks the state, terraform apply fails", async () => {
    let other: { readonly code: number | null; told(): string } | undefined;
    place.proxy.atFirstWrite = async () => {
      other = await terraform("apply", "-auto-approve", "-input=false").ended;
    };
    expect((await place.apply("apply")).code).toBe(0);
    expect(other!.code).toBe(1);
    expect(other!.told()).toContain("Error acquiring the state lock");
    expect(other!.told()).toMatch(/already locked:\s+ID=\S/);
  });

  test("while terraform apply locks the state, steward apply fails", async () => {
    const other = terraform("apply");
    await Promise.race([other.asks, other.ended]);
    const refused = await place.apply("apply");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("State is locked");
    expect(refused.err).toContain("OperationTypeApply");
    other.answer("no");
    await other.ended;
    expect((await place.apply("apply")).code).toBe(0);
  });
});
