// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is in the jar, and that it works alone with a Hadoop of either line, and among Spark's. */
@Tag("hadoop")
@Timeout(120)
class ShadedJarTest {
    private static final JarContents JAR = JarContents.hadoop();
    private static final Path OLDER_HADOOP = Path.of(System.getProperty("crail.older-hadoop"));

    @TempDir private static Path state;

    private static ServerProcesses servers;

    @BeforeAll
    static void start() throws IOException {
        assertThat(JAR.path()).as("'mvn package' makes it").isRegularFile();
        servers = ServerProcesses.start(state);
    }

    @AfterAll
    static void stop() throws IOException {
        servers.close();
    }

    @Test
    void itHoldsNothingButCrail() throws IOException {
        assertThat(JAR.others())
                .containsExactlyInAnyOrder(
                        "META-INF/MANIFEST.MF",
                        "META-INF/services/io.crail.client.spi.DataPathProvider",
                        "META-INF/services/io.crail.client.spi.RpcTransportProvider",
                        "META-INF/services/io.crail.nvmf.fabric.FabricProvider",
                        "META-INF/services/org.apache.hadoop.fs.FileSystem",
                        "crail-default.xml");
        assertThat(Files.size(JAR.path())).isLessThan(2 << 20);
    }

    @Test
    void itsClassesAreTheClientAndTheFileSystemForJava17() throws IOException {
        assertThat(JAR.classes())
                .contains("io/crail/client/CrailClient.class")
                .contains("io/crail/hadoop/CrailFileSystem.class")
                .noneMatch(name -> name.matches("io/crail/(namenode|storage|cluster|cli)/.*"));
    }

    @Test
    void itsServiceIsTheFileSystem() throws IOException {
        assertThat(JAR.text("META-INF/services/org.apache.hadoop.fs.FileSystem"))
                .isEqualTo("io.crail.hadoop.CrailFileSystem");
    }

    @Test
    void itWorksWithAnOlderHadoopAndNothingElse() throws IOException {
        List<URL> path = new ArrayList<>();
        path.add(url(JAR.path()));
        path.add(url(testClasses()));
        try (Stream<Path> jars = Files.list(OLDER_HADOOP)) {
            jars.map(ShadedJarTest::url).forEach(path::add);
        }
        assertThat(path).hasSize(6);
        // The JDK's classes, and no other: not those of this class path.
        try (URLClassLoader loader =
                new URLClassLoader(
                        path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            assertSessionSucceeds(loader, System.getProperty("crail.older-hadoop.version"));
        }
    }

    @Test
    void itWorksAmongTheLibrariesOfSpark() {
        assertSessionSucceeds(getClass().getClassLoader(), "3.5.0");
    }

    private static void assertSessionSucceeds(ClassLoader loader, String version) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader); // where Hadoop looks for services and resources
        try {
            assertThat(session(loader).apply(servers.uri()))
                    .isEqualTo(
                            "Hadoop "
                                    + version
                                    + ", io.crail.hadoop.CrailFileSystem, 12 9abc 0123456789abc,"
                                    + " COMPOSITE-CRC32C, io.crail.hadoop.CrailFs of 2, shell 0,"
                                    + " left false");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @SuppressWarnings("unchecked") // as the class declares it
    private static Function<URI, String> session(ClassLoader loader) {
        try {
            return (Function<URI, String>)
                    loader.loadClass(FileSystemSession.class.getName())
                            .getConstructor()
                            .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the session cannot be made", e);
        }
    }

    private static Path testClasses() {
        URL where = FileSystemSession.class.getProtectionDomain().getCodeSource().getLocation();
        return Path.of(URI.create(where.toString()));
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }
}
