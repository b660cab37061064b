/** A place for a file: dropped, or chosen with a button. */

import { useState } from "preact/hooks";
import { t } from "../texts";

interface Props {
  words: string;
  accept?: string;
  multiple?: boolean;
  onFiles: (files: File[]) => void;
}

export function Drop({ words, accept, multiple, onFiles }: Props) {
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    if (files?.length) onFiles([...files]);
  };
  return (
    <div
      class={`drop ${over ? "over" : ""}`}
      onDragOver={(e) => {
        e.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(e) => {
        e.preventDefault();
        setOver(false);
        take(e.dataTransfer?.files);
      }}
    >
      <p>{words}</p>
      <label>
        {t.parts.choose}
        <input
          type="file"
          accept={accept}
          multiple={multiple}
          onChange={(e) => {
            take(e.currentTarget.files);
            e.currentTarget.value = ""; // the same file can be chosen again
          }}
        />
      </label>{" "}
      {t.parts.orDrop}
    </div>
  );
}
