// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths of entries are those that Hadoop makes of scheme, authority and path. */
class EntryPathsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "part-00000",
                "_SUCCESS",
                "a.b",
                ".hidden",
                "a..b",
                "...",
                "x=1",
                "year=2026",
                "a b",
                "a:b",
                "c:",
                "50%",
                "%20",
                "a+b",
                "a?b#c",
                "J\u00fcrgen",
                "\u6f22",
                "a\\b",
                "~",
                "[x]"
            })
    void areThoseThatHadoopMakesOfTheParts(String name) {
        for (String uri : new String[] {"crail://host:9060", "crail:///"}) {
            URI fileSystem = URI.create(uri);
            for (String directory : new String[] {"/", "/d", "/d/e/", "/a b/c:d/50%", "/\u00fc"}) {
                Path made = new EntryPaths(fileSystem, directory).of(name);
                String path = directory.endsWith("/") ? directory + name : directory + "/" + name;
                Path expected = new Path(fileSystem.getScheme(), fileSystem.getAuthority(), path);
                assertThat(made).isEqualTo(expected).hasSameHashCodeAs(expected);
                assertThat(made.toString()).isEqualTo(expected.toString());
                assertThat(made.toUri().toString()).isEqualTo(expected.toUri().toString());
                assertThat(made.toUri().getPath()).isEqualTo(path);
                assertThat(made.getName()).isEqualTo(name);
            }
        }
    }
}
