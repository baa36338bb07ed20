// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.CrailException;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.ConfigurationLoader;
import io.crail.protocol.config.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a check says, in one text for each finding: {@code level: what -> remedy}. */
final class Findings {
    private Findings() {}

    static List<String> of(Check check) {
        assertThat(check.subject()).isNotBlank().hasSizeLessThan(12);
        List<String> texts = new ArrayList<>();
        for (Finding finding : check.look()) {
            if (finding.level() != Finding.Level.OK) {
                assertThat(finding.remedy()).as(finding.what()).isNotBlank();
            }
            texts.add(finding.level().word() + ": " + finding.what() + " -> " + finding.remedy());
        }
        assertThat(texts).isNotEmpty();
        return texts;
    }

    /** A configuration with these assignments. */
    static Configuration values(String... assignments) throws CrailException {
        List<Setting> settings = new ArrayList<>();
        for (String assignment : assignments) {
            settings.add(Setting.parseAssignment(assignment, "--set"));
        }
        return new ConfigurationLoader(Map.of()).commandLine(settings).load();
    }
}
