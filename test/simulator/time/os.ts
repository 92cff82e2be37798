// Replaces node:os in the sources. There is one machine with one user.
export const hostname = (): string => "builder";
export const userInfo = () => ({ username: "runner" });
export const devNull = "/dev/null";
export const tmpdir = (): string => "/tmp";
