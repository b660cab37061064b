/** What a run was warned of, a sentence each, all of them. */

export function Warnings({ said }: { said: readonly string[] | undefined }) {
  return (
    <>
      {[...new Set(said ?? [])].map((sentence) => (
        <p key={sentence} class="warning small">
          {sentence}
        </p>
      ))}
    </>
  );
}
