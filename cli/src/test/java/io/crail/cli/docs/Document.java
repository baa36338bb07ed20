// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of the repository that is generated: checked by tests, written on request. */
public final class Document {
    private static final String WRITE = "crail.docs.write";

    private Document() {}

    public static void check(String name, String content) throws IOException {
        Path file = Path.of(System.getProperty("crail.home", ".."), name);
        if (Boolean.getBoolean(WRITE)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
        }
        assertThat(file)
                .as(
                        "generate it anew: mvn -pl cli -am test -Dtest='*ReferenceTest'"
                                + " -Dsurefire.failIfNoSpecifiedTests=false -D"
                                + WRITE
                                + "=true")
                .exists()
                .hasContent(content);
    }
}
