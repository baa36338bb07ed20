// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads what {@link ArrayObjectOutput} wrote. Classes are found where Spark's serialiser finds
 * them. Belongs to one thread.
 */
final class ArrayObjectInput extends ObjectInputStream {
    private static final Map<String, Class<?>> PRIMITIVES =
            List.<Class<?>>of(
                            boolean.class,
                            byte.class,
                            char.class,
                            short.class,
                            int.class,
                            long.class,
                            float.class,
                            double.class,
                            void.class)
                    .stream()
                    .collect(Collectors.toMap(Class::getName, Function.identity()));

    private final ArrayReader arrays;
    private final ClassLoader loader;

    ArrayObjectInput(InputStream objects, ArrayReader arrays, ClassLoader loader)
            throws IOException {
        super(objects);
        this.arrays = arrays;
        this.loader = loader;
        enableResolveObject(true);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException {
        String name = description.getName();
        if (name.equals(DetachedArray.class.getName())) {
            return DetachedArray.class;
        }
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            Class<?> primitive = PRIMITIVES.get(name);
            if (primitive == null) {
                throw e;
            }
            return primitive;
        }
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws ClassNotFoundException {
        Class<?>[] resolved = new Class<?>[interfaces.length];
        for (int i = 0; i < interfaces.length; i++) {
            resolved[i] = Class.forName(interfaces[i], false, loader);
        }
        return Proxy.newProxyInstance(
                        loader,
                        resolved,
                        (proxy, method, arguments) -> {
                            throw new UnsupportedOperationException("only the class is of use");
                        })
                .getClass();
    }

    @Override
    protected Object resolveObject(Object object) throws IOException {
        return object instanceof DetachedArray detached ? arrays.read(detached) : object;
    }
}
