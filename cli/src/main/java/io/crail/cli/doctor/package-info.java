// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * {@code crail doctor}: whether machine, configuration and cluster fit together.
 *
 * <p>Each {@link io.crail.cli.doctor.Check} looks at one subject and says what it found and what to
 * do; {@link io.crail.cli.doctor.DoctorCommand} makes them, runs them in turn and prints. What they
 * look at comes from {@link io.crail.cli.doctor.Machine}, whose root tests replace.
 */
@NullMarked
package io.crail.cli.doctor;

import org.jspecify.annotations.NullMarked;
