import { deepJson } from "../../support/deep-json";
import { usePlace } from "../support/place";

const place = usePlace("all");

const configure = (levels: number) =>
  place.write("main.tf.json", {
    output: {
      deep: { value: JSON.parse(deepJson(levels)) },
      kept: { value: "${terraform_data.deep.output}" },
    },
    resource: { terraform_data: { deep: { input: JSON.parse(deepJson(levels, "object")) } } },
  });
const run = (...args: string[]) => place.run([...args, "--config", "."]);

test("a value with 500 levels can be read from the state: apply wrote a state that no command could read", async () => {
  configure(100);
  expect((await run("apply", "--auto-approve")).code).toBe(0);
  expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  expect((await run("output", "--json")).code).toBe(0);
  for (const levels of [101, 500]) {
    configure(levels);
    const { code, err } = await run("apply", "--auto-approve");
    expect(code).toBe(1);
    expect(err).toContain("Value nested too deep");
  }
  configure(100);
  expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  expect((await run("destroy", "--auto-approve")).code).toBe(0);
});

test("a configuration with 200,000 levels is an error that names the file", async () => {
  place.write("main.tf.json", `{"output":{"a":{"value":${deepJson(200_000)}}}}`);
  const { code, err } = await run("plan");
  expect(code).toBe(1);
  expect(err).toContain("nested more than 512 levels deep");
  expect(err).not.toContain("RangeError");
});
