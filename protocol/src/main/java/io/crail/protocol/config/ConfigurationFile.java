// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of configuration files: UTF-8, one {@code key = value} a line. A line that starts with
 * {@code #} is a comment; a comment behind a value needs a blank before its {@code #}.
 */
final class ConfigurationFile {
    private static final int MAX_BYTES = 1 << 20;

    private ConfigurationFile() {}

    static List<Setting> read(Path file) throws InvalidArgumentException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new InvalidArgumentException(
                        "configuration file "
                                + file
                                + " is larger than 1 MiB; is it the right one?");
            }
            return parse(Files.readAllLines(file), file.toString());
        } catch (InvalidArgumentException e) {
            throw e;
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    "configuration file "
                            + file
                            + " cannot be read ("
                            + e.getClass().getSimpleName()
                            + "); name another with --config or $CRAIL_CONF",
                    e);
        }
    }

    static List<Setting> parse(List<String> lines, String fileName)
            throws InvalidArgumentException {
        List<Setting> settings = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = withoutComment(lines.get(i)).trim();
            if (line.isEmpty()) {
                continue;
            }
            String where = fileName + ":" + (i + 1);
            int equals = line.indexOf('=');
            if (equals < 1) {
                throw new InvalidArgumentException(
                        where + ": '" + line + "' is not of the form key = value");
            }
            settings.add(
                    new Setting(
                            line.substring(0, equals).trim(),
                            line.substring(equals + 1).trim(),
                            new Origin(Origin.Kind.FILE, where)));
        }
        return settings;
    }

    private static String withoutComment(String line) {
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == '#' && (i == 0 || Character.isWhitespace(line.charAt(i - 1)))) {
                return line.substring(0, i);
            }
        }
        return line;
    }
}
