// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.cli.command.ExitCode;
import io.crail.error.CrailException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class KvCommandsTest {
    private static final Pattern VERSION = Pattern.compile("\"version\": (\\d+)");

    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    private String table = "";

    @BeforeEach
    void makeTable() throws CrailException {
        table = CLUSTER.directory() + "/table";
        assertThat(CLUSTER.run("kv", "create", table).err()).isEmpty();
    }

    private Run put(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "kv";
        all[1] = "put";
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return CLUSTER.run(all);
    }

    private String version(String key) {
        Matcher matcher = VERSION.matcher(CLUSTER.run("kv", "get", "--json", table, key).out());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    @Test
    void aValueIsPutFromAnArgument() {
        assertThat(put(table, "k", "value").status()).isZero();
        assertThat(CLUSTER.run("kv", "get", table, "k").out()).isEqualTo("value");
    }

    @Test
    void aValueMayBeEmpty() {
        assertThat(put(table, "k", "").status()).isZero();
        Run get = CLUSTER.run("kv", "get", table, "k");
        assertThat(get.status()).isZero();
        assertThat(get.out()).isEmpty();
    }

    @Test
    void largeValuesGoThroughFilesAndPipes(@TempDir Path local) throws IOException {
        byte[] value = new byte[(3 << 20) + 7];
        new Random(1).nextBytes(value);
        Path file = Files.write(local.resolve("value"), value);
        assertThat(put(table, "file", "--file", file.toString()).err()).isEmpty();
        assertThat(CLUSTER.runWithInput(value, "kv", "put", table, "pipe", "-").err()).isEmpty();
        assertThat(CLUSTER.run("kv", "get", table, "file").bytes()).isEqualTo(value);
        Path copy = local.resolve("copy");
        CLUSTER.run("kv", "get", table, "pipe", "--file", copy.toString());
        assertThat(copy).hasBinaryContent(value);
    }

    @Test
    void exactlyOneSourceOfTheValueIsNeeded() {
        assertThat(put(table, "k").status()).isEqualTo(2);
        assertThat(put(table, "k", "v", "--file", "/etc/hostname").status()).isEqualTo(2);
    }

    @Test
    void keysMayBeHexadecimal() {
        assertThat(put("--hex", table, "00ff", "value").status()).isZero();
        assertThat(CLUSTER.run("kv", "get", "--hex", table, "00ff").out()).isEqualTo("value");
        assertThat(CLUSTER.run("kv", "ls", "--hex", table).out()).isEqualTo("00ff\n");
        assertThat(CLUSTER.run("kv", "get", "--hex", table, "0").status()).isEqualTo(2);
    }

    @Test
    void keysThatHashAlikeAreDifferent() {
        put(table, "Aa", "1");
        put(table, "BB", "2");
        assertThat(CLUSTER.run("kv", "get", table, "Aa").out()).isEqualTo("1");
        assertThat(CLUSTER.run("kv", "get", table, "BB").out()).isEqualTo("2");
    }

    @Test
    void aMissingKeyOrTableIsExitCodeThree() {
        Run key = CLUSTER.run("kv", "get", table, "none");
        assertThat(key.status()).isEqualTo(3);
        assertThat(key.err()).startsWith("crail: kv get: ").contains("none").hasLineCount(1);
        assertThat(CLUSTER.run("kv", "get", table + "x", "none").status()).isEqualTo(3);
        assertThat(put(table + "x", "k", "v").status()).isEqualTo(3);
        assertThat(CLUSTER.run("kv", "ls", table + "x").status()).isEqualTo(3);
    }

    @Test
    void conditionsThatAreNotMetAreExitCodeFour() {
        assertThat(put("--if-absent", table, "k", "1").status()).isZero();
        assertThat(put("--if-absent", table, "k", "2").status()).isEqualTo(4);
        String version = version("k");
        assertThat(put("--if-version", version, table, "k", "3").status()).isZero();
        assertThat(put("--if-version", version, table, "k", "4").status()).isEqualTo(4);
        assertThat(CLUSTER.run("kv", "get", table, "k").out()).isEqualTo("3");
        assertThat(put("--if-absent", "--if-version", "1", table, "k", "5").status()).isEqualTo(2);
    }

    @Test
    void keysAreRemoved() {
        put(table, "a", "1");
        put(table, "b", "2");
        assertThat(CLUSTER.run("kv", "rm", table, "a", "b").status()).isZero();
        assertThat(CLUSTER.run("kv", "ls", table).out()).isEmpty();
        assertThat(CLUSTER.run("kv", "rm", table, "a").status()).isEqualTo(3);
        assertThat(CLUSTER.run("kv", "rm", "-f", table, "a").status()).isZero();
    }

    @Test
    void removingMayDependOnTheVersion() {
        put(table, "a", "1");
        String version = version("a");
        put(table, "a", "2");
        assertThat(CLUSTER.run("kv", "rm", "--if-version", version, table, "a").status())
                .isEqualTo(4);
        assertThat(CLUSTER.run("kv", "rm", "--if-version", version("a"), table, "a").status())
                .isZero();
    }

    @Test
    void keysAreListedInOrderOnce() {
        for (String key : new String[] {"c", "a", "b", "a"}) {
            put(table, key, key);
        }
        assertThat(CLUSTER.run("kv", "ls", table).out()).isEqualTo("a\nb\nc\n");
        assertThat(CLUSTER.run("kv", "ls", "--after", "a", "--limit", "1", table).out())
                .isEqualTo("b\n");
        assertThat(CLUSTER.run("kv", "ls", "-l", table).out())
                .containsPattern("1 +\\d+ +\\S+Z +none +a\n");
        assertThat(CLUSTER.run("kv", "ls", "--json", table).out())
                .startsWith("[\n  {\"key\": \"a\", \"hex\": false, \"length\": 1");
    }

    @Test
    void jsonCarriesTextOrBase64() {
        put(table, "text", "héllo");
        CLUSTER.runWithInput(new byte[] {0, (byte) 0xff}, "kv", "put", table, "binary", "-");
        assertThat(CLUSTER.run("kv", "get", "--json", table, "text").out())
                .contains("\"value\": \"héllo\"");
        assertThat(CLUSTER.run("kv", "get", "--json", table, "binary").out())
                .contains("\"base64\": \"AP8=\"");
        assertThat(put("--json", table, "text", "x").out()).contains("\"version\": ");
    }

    @Test
    void theValueIsPrintedByteForByte() {
        byte[] value = "a\r\nb\0".getBytes(StandardCharsets.UTF_8);
        CLUSTER.runWithInput(value, "kv", "put", table, "k", "-");
        assertThat(CLUSTER.run("kv", "get", table, "k").bytes()).isEqualTo(value);
    }

    @Test
    void tablesAreMadeOnce() {
        assertThat(CLUSTER.run("kv", "create", table).status()).isEqualTo(4);
        assertThat(CLUSTER.run("kv", "create", "-p", table).status()).isZero();
        assertThat(CLUSTER.run("kv", "create", "-p", table + "-new/deep").status()).isZero();
    }

    private Run mput(String lines, String... options) {
        String[] all = new String[options.length + 3];
        all[0] = "kv";
        all[1] = "mput";
        System.arraycopy(options, 0, all, 2, options.length);
        all[all.length - 1] = table;
        return CLUSTER.runWithInput(lines.getBytes(StandardCharsets.UTF_8), all);
    }

    @Test
    void manyValuesArePutAndPrinted() {
        assertThat(mput("a\tone\nb\ttwo\twords\nc\t\n").err()).isEmpty();
        assertThat(CLUSTER.run("kv", "mget", table, "b", "a", "c").out())
                .isEqualTo("b\ttwo\twords\na\tone\nc\t\n");
        byte[] keys = CLUSTER.run("kv", "ls", table).bytes();
        assertThat(CLUSTER.runWithInput(keys, "kv", "mget", "--json", table, "-").out())
                .contains("{\"key\": \"a\", \"version\": ")
                .contains("\"value\": \"one\"}");
    }

    @Test
    void aMissingKeyIsReportedAndTheOthersArePrinted() {
        mput("a\tone\n");
        Run run = CLUSTER.run("kv", "mget", table, "x", "a");
        assertThat(run.status()).isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(run.out()).isEqualTo("a\tone\n");
        assertThat(run.err()).contains("'x'");
    }

    @Test
    void valuesComeFromJsonLinesWithConditions() {
        put(table, "old", "0");
        String version = version("old");
        String lines =
                """
                {"key": "new", "value": "n", "ifAbsent": true}
                {"key": "old", "value": "o", "ifVersion": %s}
                {"key": "raw", "base64": "AP8="}
                {"key": "no", "value": "x", "ifVersion": 1}
                """
                        .formatted(version);
        Run run = mput(lines, "--lines-json");
        assertThat(run.status()).isEqualTo(ExitCode.EXISTS.number());
        assertThat(run.err()).contains("condition");
        assertThat(CLUSTER.run("kv", "mget", table, "new", "old").out())
                .isEqualTo("new\tn\nold\to\n");
        assertThat(CLUSTER.run("kv", "get", table, "raw").bytes()).containsExactly(0, 0xFF);
        assertThat(CLUSTER.run("kv", "get", table, "no").status())
                .isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(mput("a\tother\nnew\tother\n", "--if-absent").status())
                .isEqualTo(ExitCode.EXISTS.number());
        assertThat(CLUSTER.run("kv", "get", table, "new").out()).isEqualTo("n");
    }

    @Test
    void badLinesAreNamed() {
        Run run = mput("a\tone\nno tab\n");
        assertThat(run.status()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains("line 2");
        assertThat(mput("{\"key\": \"a\"}\n", "--lines-json").err()).contains("line 1");
    }
}
