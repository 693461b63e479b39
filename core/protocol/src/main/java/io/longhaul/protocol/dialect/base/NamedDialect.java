// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.base;

import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Traits;

/** A dialect with the name and the traits that it was made with. */
public abstract class NamedDialect implements Dialect {

    private final String name;
    private final Traits traits;

    protected NamedDialect(String name, Traits traits) {
        this.name = name;
        this.traits = traits;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Traits traits() {
        return traits;
    }
}
