// Replaces node:os: one machine, one user.
export const hostname = (): string => "builder";
export const userInfo = () => ({ username: "runner" });
export const devNull = "/dev/null";
export const tmpdir = (): string => "/tmp";
