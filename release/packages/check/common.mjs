// What the checks share.
import { execFileSync } from "node:child_process";
import { load, loadAll } from "js-yaml";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

export const here = fileURLToPath(new URL("..", import.meta.url));
export const root = join(here, "..", "..");
export const longhaul = process.env.LONGHAUL;
export const parse = load;

export function fail(problem) {
  console.error("packages: " + problem);
  process.exit(1);
}

export function check(holds, problem) {
  if (!holds) fail(problem);
}

export function run(program, args, options = {}) {
  try {
    return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], ...options });
  } catch (e) {
    return fail(`${program} ${args.join(" ")} failed:\n${e.stdout}${e.stderr}`);
  }
}

/** The objects that an overlay of kustomize makes. */
export function overlay(name) {
  return loadAll(run(join(here, "target/kubectl/kubectl"), ["kustomize", join(here, "kubernetes/overlays", name)]));
}

/** The objects that the chart makes. */
export function chart(...values) {
  const sets = values.flatMap((value) => ["--set", value]);
  return loadAll(
    run(join(here, "target/helm/helm"), ["template", "longhaul", join(here, "kubernetes/chart"), ...sets]),
  ).filter(Boolean);
}

export const STORE = "jdbc:postgresql://postgres:5432/longhaul?user=longhaul";

export function kind(objects, wanted) {
  return objects.find((each) => each.kind === wanted);
}

export function container(objects) {
  return kind(objects, "StatefulSet").spec.template.spec.containers[0];
}
