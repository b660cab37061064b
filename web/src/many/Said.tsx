/** What was found in sentences: the first one large. */

export function Said({ sentences }: { sentences: string[] }) {
  return (
    <>
      <p class="many-outcome">{sentences[0]}</p>
      {sentences.length > 1 && (
        <ul class="many-said">
          {sentences.slice(1).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </>
  );
}
