import type { World } from "./world";

interface Invitation {
  readonly id: number;
  readonly invite_email: string;
  readonly created_at: string;
}

/** The open invitations below a path such as `/projects/1/invitations`. */
export const invitationsAt = async ({ http }: World, path: string) =>
  (await http("GET", path)) as readonly Invitation[];

/** The first of them is accepted in the person's place. */
export const acceptFirst = (world: World, path: string) => settle(world, path, "accept");

/** The first of them, which waits for an administrator, is approved. */
export const approveFirst = (world: World, path: string) => settle(world, path, "approve");

async function settle(world: World, path: string, how: "accept" | "approve"): Promise<void> {
  const [first] = await invitationsAt(world, path);
  const { url, adminToken } = world.service;
  const response = await fetch(`${url}/_steward/invitations/${first!.id}/${how}`, {
    method: "POST",
    headers: { "private-token": adminToken },
  });
  expect(response.status).toBe(201);
}
