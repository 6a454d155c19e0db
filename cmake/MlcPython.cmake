# MLC_PYTHON: the interpreter that has the tests' packages (scripts/requirements.txt): what the user named, by -D or in the
# environment, else .venv as scripts/install.sh makes it. MLC_PYTHON_FOUND is false where there is neither.
set(MLC_PYTHON "$ENV{MLC_PYTHON}" CACHE FILEPATH "Python that has the packages of scripts/requirements.txt")
set(MLC_PYTHON_EXE "${MLC_PYTHON}")
if(NOT MLC_PYTHON_EXE)
  set(MLC_PYTHON_EXE ${PROJECT_SOURCE_DIR}/.venv/bin/python)
endif()
if(EXISTS "${MLC_PYTHON_EXE}")
  set(MLC_PYTHON_FOUND TRUE)
else()
  set(MLC_PYTHON_FOUND FALSE)
  message(WARNING "No Python at ${MLC_PYTHON_EXE}: the tests lit and e2e are left out (scripts/install.sh makes it, or say -DMLC_PYTHON)")
endif()
