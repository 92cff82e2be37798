import { type Service, startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company } from "../company";

let service: Service;
let send: ReturnType<typeof client>;
afterEach(() => service.close());

test("GET /groups/:id lists the groups that the group is shared with", async () => {
  const fixture = company();
  Object.assign(fixture.groups![1]!, { shared_with: [{ group: "release-managers", role: "developer" }] });
  service = await startService({ fixture });
  send = client(service);
  const shared = async (id: number) =>
    ((await send("GET", `/groups/${id}`)).body as { shared_with_groups: unknown }).shared_with_groups;
  expect(await shared(101)).toEqual([
    {
      group_id: 102,
      group_name: "release-managers",
      group_full_path: "release-managers",
      group_access_level: 30,
      expires_at: null,
    },
  ]);
  expect(await shared(100)).toEqual([]);
});

test("a member's record names the custom role of the membership", async () => {
  const fixture = company();
  Object.assign(fixture.groups![0]!, { member_roles: [{ id: 7, name: "Releaser", base_role: "developer" }] });
  service = await startService({ fixture });
  send = client(service);
  const json = { user_id: 21, access_level: 30, member_role_id: 7 };
  expect((await send("POST", "/projects/1/invitations", { json })).body).toEqual({ status: "success" });
  const role = async (user: number) =>
    ((await send("GET", `/projects/1/members/all/${user}`)).body as { member_role: unknown }).member_role;
  expect(await role(21)).toEqual({ id: 7, name: "Releaser", base_access_level: 30 });
  expect(await role(14)).toBeNull();
});
