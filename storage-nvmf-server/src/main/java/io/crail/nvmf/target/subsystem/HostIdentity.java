// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import java.util.UUID;

/**
 * Who a host says it is, in Connect. The name is what it is admitted by; reservations are bound to
 * the identifier (NVMe Base 2.0, section 8.19).
 *
 * @param nqn its qualified name
 * @param id its identifier, 128 bits
 */
public record HostIdentity(String nqn, UUID id) {}
