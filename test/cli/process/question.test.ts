import { usePlace } from "../support/place";

const HERE = ["--config", "."];

const place = usePlace("each");

const usersAsked = () => place.service.requests.all.filter(({ route }) => route === "/user").length;

test("the question before an apply names the service and the user, and asks for the user once", async () => {
  const before = usersAsked();
  const asked: string[] = [];
  const { ended } = place.begin(["apply", ...HERE], {}, async (question) => {
    asked.push(question.join("\n"));
    return "yes";
  });
  expect((await ended).code).toBe(0);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain(
    `Do you want to perform these actions?\n  On ${place.service.url}/api/v4 as maya.\n  Only 'yes' will be accepted`,
  );
  expect(usersAsked() - before).toBe(1);
});

test("without a question nobody asks for the user", async () => {
  expect((await place.run(["apply", "--auto-approve", ...HERE])).code).toBe(0);
  expect(usersAsked()).toBe(0);
});
