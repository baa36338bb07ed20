// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.terminal.Progress;
import io.crail.client.CreateOptions;
import java.io.IOException;

/** One large file: written and read back, as a stream. */
final class FileStep implements Step {
    static final String PATH = "/generated";

    private final StoredFile stored;

    FileStep(GeneratedFile file) {
        this.stored = new StoredFile(PATH, file);
    }

    @Override
    public String subject() {
        return "a large file";
    }

    @Override
    public void run(Stage stage) throws IOException {
        StoredFile.WriteAndReadLimit limit = StoredFile.WriteAndReadLimit.of(stage.limit());
        try (Progress progress = stage.progress("file", 2 * stored.file().length())) {
            stage.add(
                    stored.write(
                            stage.client(),
                            "write a generated file",
                            CreateOptions.builder(),
                            limit,
                            progress::add));
            stage.add(stored.read(stage.client(), "read it back, comparing", limit, progress::add));
        }
    }

    @Override
    public void verify(Stage stage) throws IOException {
        stored.verify(stage.client());
    }
}
