import { usePlace } from "../support/place";

const place = usePlace("all");

beforeAll(async () => {
  place.write("main.tf.json", {
    resource: { terraform_data: { alpha: { input: 1 }, beta: { input: 2 } } },
    output: { environment: { value: 1 } },
  });
  expect(await place.run(["apply", "--config", ".", "--auto-approve"])).toMatchObject({ code: 0 });
});

test.each([
  ["an address to show", "state show terraform_data.alhpa --config .", '"terraform_data.alpha"'],
  ["an address to remove", "state rm terraform_data.alhpa --config .", '"terraform_data.alpha"'],
  ["an address to list", "state list terraform_data.bta --config .", '"terraform_data.beta"'],
  ["an address to move", "state mv terraform_data.bta terraform_data.x --config .", '"terraform_data.beta"'],
  ["an address to replace", "plan --config . --replace terraform_data.alhpa", '"terraform_data.alpha"'],
  ["an address to import to", "import terraform_data.alhpa 1 --config .", '"terraform_data.alpha"'],
  ["an output", "output --config . enviroment", '"environment"'],
  ["a target", "plan --config . --target terraform_data.alhpa", '"terraform_data.alpha"'],
  ["an option", "plan --config . --refresh-olny", "--refresh-only"],
  ["an option that the help leaves out", "plan --config . --parralelism 3", "--parallelism"],
  ["the beginning of an option", "plan --config . --detailed", "--detailed-exitcode"],
  ["a command", "state shwo x", "show"],
])("the error for a misspelled name suggests the correct name: %s", async (_, line, meant) => {
  const { err } = await place.run(line.split(" "));
  expect(err.replace(/\n│? */g, " ")).toMatch(new RegExp(`Did you mean ${meant}\\?`));
});

test("the error for a misspelled argument of a lifecycle block suggests the correct argument", async () => {
  place.write("other/main.tf.json", {
    resource: { terraform_data: { alpha: { lifecycle: { prevent_destory: true } } } },
  });
  const { code, err } = await place.run(["validate", "--config", "other"]);
  expect(code).toBe(1);
  expect(err).toContain('"prevent_destory" (did you mean "prevent_destroy"?)');
});
