// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What bin/crail and bin/test make of JAVA_HOME and CRAIL_HOME, and the flags of a namenode. */
@Tag("system")
@Timeout(180)
class LauncherTest {
    private static final String HOME = System.getProperty("crail.home");

    /** A line of what a JVM prints about its flags. */
    private static final Pattern FLAG =
            Pattern.compile("^ *\\w+ (\\w+) += (\\S*) ", Pattern.MULTILINE);

    @TempDir private Path directory;

    /** A directory that looks like a Java of some version. */
    private Path java(String version) throws IOException {
        Path java = Files.createDirectories(directory.resolve("java/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nexit 1\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Path home = directory.resolve("java");
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private Command run(String environment, String command) {
        return Command.script(directory, "export " + environment + "; " + command);
    }

    @ParameterizedTest
    @ValueSource(strings = {"crail version", "bin/test unit"})
    void aWrongJavaHomeIsAnErrorThatNamesIt(String line) throws IOException {
        String command = line.replace("bin/test", "'" + HOME + "/bin/test'");
        Command none = run("JAVA_HOME=" + directory + "/none", command);
        assertThat(none.status()).isEqualTo(78);
        assertThat(none.out()).isEmpty();
        assertThat(none.err())
                .contains("JAVA_HOME is " + directory + "/none: there is no bin/java")
                .hasLineCount(1);

        for (String old : new String[] {"11.0.22", "1.8.0_392"}) {
            Path java = java(old);
            Command tooOld = run("JAVA_HOME=" + java, command);
            assertThat(tooOld.status()).isEqualTo(78);
            assertThat(tooOld.err())
                    .contains("JAVA_HOME is " + java, "crail needs 17 or later")
                    .hasLineCount(1);
        }
    }

    @Test
    void aBuildNeedsAJavaHomeWithACompiler() throws IOException {
        Command test = run("JAVA_HOME=" + java("17.0.9"), "'" + HOME + "/bin/test' unit");
        assertThat(test.status()).isEqualTo(78);
        assertThat(test.err()).contains("no compiler").hasLineCount(1);
    }

    @Test
    void theJavaOfJavaHomeIsUsed() {
        String java = System.getProperty("java.home");
        Command version = run("JAVA_HOME=" + java, "crail version");
        assertThat(version.status()).as(version.err()).isZero();
        assertThat(version.err()).isEmpty();
    }

    @Test
    void anotherCrailHomeIsToldAndNotUsed() {
        Command other = run("CRAIL_HOME=" + directory, "crail version");
        assertThat(other.status()).isZero();
        assertThat(other.err())
                .contains("CRAIL_HOME is " + directory, "this is the crail of " + HOME)
                .hasLineCount(1);
        Command own = run("CRAIL_HOME=" + HOME, "crail version");
        assertThat(own.err()).isEmpty();
    }

    @Test
    void aNamenodeCollectsAfterATenthOfItsHeapAndGivesMemoryBackWhenIdle() {
        List<String> flags = flagsOfNamenode("-Xmx64m");
        assumeThat(flags).contains("UseShenandoahGC=true");
        assertThat(flags)
                .contains(
                        "MaxHeapSize=" + (64 << 20),
                        "ShenandoahGCHeuristics=compact",
                        "ShenandoahAllocationThreshold=10",
                        "ShenandoahAlwaysClearSoftRefs=false",
                        "ShenandoahUncommit=true",
                        "ShenandoahUncommitDelay=300000",
                        "ShenandoahGuaranteedGCInterval=300000");
    }

    @Test
    void aCollectorThatTheUserNamesForTheNamenodeIsLeftAlone() {
        assertThat(flagsOfNamenode("-XX:+UseSerialGC"))
                .contains("UseSerialGC=true")
                .doesNotContain("UseShenandoahGC=true", "ShenandoahGCHeuristics=compact");
    }

    @Test
    void whenToCollectIsForTheUserToSay() {
        List<String> flags = flagsOfNamenode("-XX:ShenandoahGCHeuristics=static");
        assumeThat(flags).contains("UseShenandoahGC=true");
        assertThat(flags).contains("ShenandoahGCHeuristics=static");
    }

    /** The flags that the JVM of a namenode has in the end, each as {@code name=value}. */
    private List<String> flagsOfNamenode(String options) {
        String printing = "CRAIL_NAMENODE_OPTS='" + options + " -XX:+PrintFlagsFinal'";
        Command help = run(printing, "crail namenode --help");
        assertThat(help.status()).as(help.err()).isZero();
        return FLAG.matcher(help.out())
                .results()
                .map(flag -> flag.group(1) + "=" + flag.group(2))
                .toList();
    }
}
