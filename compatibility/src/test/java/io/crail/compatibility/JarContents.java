// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * One of the jars that users get.
 *
 * @param path where 'mvn package' puts it
 */
record JarContents(Path path) {
    private static final int JAVA_17 = 61;

    /** The file system of Hadoop. */
    static JarContents hadoop() {
        return new JarContents(Path.of(System.getProperty("crail.hadoop.jar")));
    }

    /** The plug-in of Spark. */
    static JarContents spark() {
        return new JarContents(Path.of(System.getProperty("crail.spark.jar")));
    }

    private List<String> names() throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            return jar.stream().filter(e -> !e.isDirectory()).map(JarEntry::getName).toList();
        }
    }

    /** Names of the classes; all of them are compiled for Java 17. */
    List<String> classes() throws IOException {
        List<String> names = new ArrayList<>();
        try (JarFile jar = new JarFile(path.toFile())) {
            for (JarEntry each : jar.stream().toList()) {
                if (each.getName().endsWith(".class")) {
                    names.add(each.getName());
                    try (DataInputStream in = new DataInputStream(jar.getInputStream(each))) {
                        assertThat(in.readInt()).isEqualTo(0xCAFEBABE);
                        in.readUnsignedShort();
                        assertThat(in.readUnsignedShort()).as(each.getName()).isEqualTo(JAVA_17);
                    }
                }
            }
        }
        return names;
    }

    /** Names of all that are no classes of crail. */
    List<String> others() throws IOException {
        List<String> others = new ArrayList<>(names());
        others.removeIf(name -> name.startsWith("io/crail/") && name.endsWith(".class"));
        return others;
    }

    /** A text in it. */
    String text(String name) throws IOException {
        try (JarFile jar = new JarFile(path.toFile());
                var in = jar.getInputStream(jar.getJarEntry(name))) {
            return new String(in.readAllBytes(), UTF_8).strip();
        }
    }
}
