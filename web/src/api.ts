/** The server, which runs on the same machine. */

import type { JobState } from "./types";

/** What the server said was wrong, in a sentence. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Says which window asks, so that windows take turns where many wait. */
const CLIENT = { "X-Studio-Client": crypto.getRandomValues(new Uint32Array(2)).join("-") };

async function checked(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  let said = `The server answered ${answer.status}.`;
  try {
    said = ((await answer.json()) as { error: string }).error;
  } catch {
    // not JSON: the number has to do
  }
  throw new ApiError(answer.status, said);
}

export async function get<T>(path: string): Promise<T> {
  return (await checked(await fetch(`/api/${path}`, { headers: CLIENT }))).json() as Promise<T>;
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await send(path, body, signal)).json() as Promise<T>;
}

/** The same for files: the name that the server gives it, and its content. */
export async function download(path: string, body?: unknown): Promise<{ name: string; content: Blob }> {
  const answer =
    body === undefined ? await checked(await fetch(`/api/${path}`, { headers: CLIENT })) : await send(path, body);
  const told = answer.headers.get("Content-Disposition") ?? "";
  const plain = /filename="([^"]+)"/.exec(told)?.[1] ?? "rocksteady";
  const starred = /filename\*=utf-8''([^;]+)/i.exec(told)?.[1];
  return { name: starred ? decodeURIComponent(starred) : plain, content: await answer.blob() };
}

async function send(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers = { "Content-Type": "application/json", ...CLIENT };
  const options = { method: "POST", headers, body: JSON.stringify(body) };
  return checked(await fetch(`/api/${path}`, signal ? { ...options, signal } : options));
}

export async function remove(path: string): Promise<void> {
  await checked(await fetch(`/api/${path}`, { method: "DELETE", headers: CLIENT }));
}

export async function upload<T>(file: File, options: Record<string, string> = {}): Promise<T> {
  const query = new URLSearchParams({ name: file.name, ...options });
  const headers = { "Content-Type": "application/octet-stream", ...CLIENT };
  const sent = fetch(`/api/uploads?${query}`, { method: "POST", headers, body: file });
  return (await checked(await sent)).json() as Promise<T>;
}

/** Hear of a job: what it has found so far, then how it goes on. Returns how to stop listening. */
export function follow(
  id: string,
  hear: { partial?: (found: Record<string, unknown>) => void; state: (state: JobState) => void },
): () => void {
  const source = new EventSource(`/api/jobs/${id}/events`);
  source.addEventListener("partial", (event) => hear.partial?.(JSON.parse(event.data as string)));
  source.addEventListener("state", (event) => {
    const state = JSON.parse(event.data as string) as JobState;
    if (["done", "failed", "cancelled"].includes(state.state)) source.close();
    hear.state(state);
  });
  return () => source.close();
}
