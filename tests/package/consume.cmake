# Configures, builds and runs the consumer project: cmake -DSOURCE= -DBINARY= -DGLASS=prefix or build tree -DPROGRAMS="a;b" [-DOPTIONS=] -P
file(REMOVE_RECURSE ${BINARY})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY} -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${GLASS} ${OPTIONS}
  COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${BINARY}/CMakeCache.txt found REGEX "^glass_DIR:")
string(FIND "${found}" "${GLASS}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "Not the glass of ${GLASS} was found, but ${found}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BINARY} COMMAND_ERROR_IS_FATAL ANY)
foreach(program IN LISTS PROGRAMS)
  execute_process(COMMAND ${BINARY}/${program} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
